/**
 * A scanner over the start tags of an HTML text, without a tree and without an object per tag.
 *
 * Own code, because finding links is what a crawler spends its time on. For a page of 27 KB with
 * 100 links, all of `extractLinks` but the texts takes 85 µs with this scanner; htmlparser2's
 * parser with a loop over `new URL()` takes 485 µs for less. It goes by the tokenisation rules of
 * the HTML standard (§13.2.5), and keeps of tree construction only what decides whether a piece
 * of text is markup at all: raw text elements, `template`, and the stack of open SVG and MathML
 * elements. Every step goes forward, so time is linear in the length of the text, whatever is in
 * it. Differential tests hold it to parse5; `docs/links.md` names what differs.
 */

import {
  BREAKOUT,
  CONTAINER,
  FLAGS,
  MATH_POINT,
  NAMES,
  RAW,
  SPECIAL,
  SVG_POINT,
  UNKNOWN,
  WANTED,
  WANTED_IN_SVG,
  attributeName,
  elementId,
  findElement,
  hashOf,
  type AttributeName,
  type TagSet,
} from './html-elements.js';
import {
  BANG,
  DOUBLE_QUOTE,
  EQUALS,
  GREATER,
  QUESTION,
  SINGLE_QUOTE,
  SLASH,
  commentEnd,
  hasNameAt,
  isBlank,
  isLetter,
  isTagNameAt,
  rawTextEnd,
  skipAttributes,
  skipPast,
  xmlDoctypeEnd,
  xmlTextEnd,
} from './html-syntax.js';

/** At most so many attributes of one tag are read; the rest are skipped. */
export const MAX_ATTRIBUTES = 1000;
/** At most so many open templates and SVG or MathML elements are kept apart. */
const MAX_DEPTH = 512;
/**
 * So many open elements are looked at for end tags in all; then only the innermost is. A page of
 * `</x>` inside of 512 elements would take seconds.
 */
const MAX_SEARCHES = 10_000_000;

const PLAINTEXT = elementId('plaintext');
const NOSCRIPT = elementId('noscript');
const TEMPLATE = elementId('template');
const SVG = elementId('svg');
const MATH = elementId('math');
const FONT = elementId('font');
const SCRIPT = elementId('script');
const STYLE = elementId('style');

/** In XML, only scripts and styles are left unread: a `title` may have elements in it. */
function isMarkupInXml(id: number, flags: number): boolean {
  return id === PLAINTEXT || ((flags & RAW) !== 0 && id !== SCRIPT && id !== STYLE);
}

const SVG_HASH = hashOf('svg');
const MATH_HASH = hashOf('math');
const TEMPLATE_HASH = hashOf('template');
const ANNOTATION_HASH = hashOf('annotation-xml');
const P_HASH = hashOf('p');
const BR_HASH = hashOf('br');

/** What an open element is. From `HTML_POINT` on, its content is HTML. */
const IN_SVG = 1;
const IN_MATH = 2;
const HTML_POINT = 3;
const IN_TEMPLATE = 4;

const COLOR = attributeName('color');
const FACE = attributeName('face');
const SIZE = attributeName('size');
const ENCODING = attributeName('encoding');

/** How a {@link TagScanner} reads. */
export interface ScanOptions {
  /** Whether the content of `noscript` is markup. Default true: a crawler runs no scripts. */
  readonly noscript?: boolean | undefined;
  /**
   * XHTML: `<script/>` is empty, CDATA is text, a DOCTYPE may have an internal subset, and of
   * elements only scripts and styles hold text alone. Default false.
   */
  readonly xml?: boolean | undefined;
  /** Whether attributes of end tags are counted. Default false. */
  readonly endTags?: boolean | undefined;
  /** Ends the scan behind so many `<`, whether or not a visitor is shown them. Default none. */
  readonly maxTags?: number | undefined;
}

/** Is shown each wanted start tag; `false` ends the scan. */
export type TagVisitor = (tag: TagScanner) => boolean;

/** Numbers kept for each attribute: hash, start and end of the name, start and end of the value. */
const FIELDS = 5;

/**
 * See the head of this file. One object is used for one text; while a visitor runs, it shows
 * the tag at hand.
 */
export class TagScanner {
  readonly html: string;
  /** Number of the element at hand, see {@link elementId}. */
  element = 0;
  /** Whether the element at hand is an SVG element. */
  svg = false;
  /** Index just after the `>` of the tag at hand. */
  tagEnd = 0;
  /** How many attributes the tag at hand has; those beyond {@link MAX_ATTRIBUTES} count too. */
  attributeCount = 0;
  /** The most attributes of a tag so far, also of one that was not shown, or that the text cut. */
  mostAttributes = 0;
  /** For a raw text element (`script`, `title` …): where its text ends. */
  contentEnd = 0;

  private readonly noscript: boolean;
  private readonly xml: boolean;
  private readonly endTags: boolean;
  private readonly maxTags: number;
  private selfClosing = false;
  private attributes = new Int32Array(FIELDS * 16);
  private attributesEnd = 0;
  private readonly openNames = new Int32Array(MAX_DEPTH);
  private readonly openModes = new Uint8Array(MAX_DEPTH);
  private depth = 0;
  private templates = 0;
  private searches = MAX_SEARCHES;
  /** XML has one: no other is searched for its end. */
  private doctype = false;
  private arrowFrom = Infinity;
  private arrow = 0;

  constructor(html: string, options: ScanOptions = {}) {
    this.html = html;
    this.noscript = options.noscript ?? true;
    this.xml = options.xml ?? false;
    this.endTags = options.endTags ?? false;
    this.maxTags = options.maxTags ?? Infinity;
  }

  /** Shows a visitor every wanted start tag, in document order. */
  scan(wanted: TagSet, visit: TagVisitor): void {
    const { html, maxTags } = this;
    let at = html.indexOf('<');
    for (let tags = 0; at !== -1 && tags < maxTags; tags += 1) {
      const code = html.charCodeAt(at + 1);
      let next: number;
      if (isLetter(code)) next = this.startTag(at + 1, wanted, visit);
      else if (code === SLASH) next = this.endTag(at + 2);
      else if (code === BANG) next = this.declaration(at + 2);
      else if (code === QUESTION) next = skipPast(html, this.xml ? '?>' : '>', at + 2);
      else next = at + 1;
      if (this.attributeCount > this.mostAttributes) this.mostAttributes = this.attributeCount;
      if (next === -1) return;
      at = html.indexOf('<', next);
    }
  }

  /**
   * The raw text of an attribute of the tag at hand: character references are not decoded.
   * Of an attribute that is there twice, the first counts. A slice of the page.
   */
  find(name: AttributeName): string | undefined {
    const { html, attributes } = this;
    for (let i = 0; i < this.attributesEnd; i += FIELDS) {
      if (attributes[i] !== name.hash) continue;
      const start = attributes[i + 1] ?? 0;
      const end = attributes[i + 2] ?? 0;
      if (end - start === name.text.length && hasNameAt(html, name.text, start)) {
        return html.slice(attributes[i + 3], attributes[i + 4]);
      }
    }
    return undefined;
  }

  /** The text of the raw text element at hand. A slice of the page. */
  content(): string {
    return this.html.slice(this.tagEnd, this.contentEnd === -1 ? undefined : this.contentEnd);
  }

  /** Reads the start tag whose name begins at `start`; returns where to go on, or -1 at the end. */
  private startTag(start: number, wanted: TagSet, visit: TagVisitor): number {
    const { html } = this;
    let hash = 0;
    let at = start;
    for (;;) {
      const code = html.charCodeAt(at);
      if (code === GREATER || code === SLASH || isBlank(code)) break;
      // NaN: the text ends inside the tag, which is then no tag.
      if (code !== code) return -1;
      hash = (Math.imul(hash, 31) + (code | 0x20)) | 0;
      at += 1;
    }
    const id = findElement(html, start, at, hash);
    const nested = this.depth > 0;
    if (id === UNKNOWN && !nested && wanted[id] === 0) return skipAttributes(html, at);

    const next = this.readAttributes(at);
    if (next === -1) return -1;
    const flags = FLAGS[id] ?? 0;
    this.element = id;
    this.svg = false;
    this.tagEnd = next;
    if (nested && this.inForeign()) {
      if ((flags & BREAKOUT) === 0 && !(id === FONT && this.hasFontAttribute())) {
        return this.foreignTag(hash, id, flags, wanted, visit, next);
      }
      this.leaveForeign();
    }
    if ((flags & (RAW | SPECIAL)) !== 0) return this.structureTag(id, flags, wanted, visit, next);
    if (((wanted[id] ?? 0) & WANTED) !== 0 && this.templates === 0 && !visit(this)) {
      return -1;
    }
    return next;
  }

  /** A start tag that changes how what follows is read. */
  private structureTag(
    id: number,
    flags: number,
    wanted: TagSet,
    visit: TagVisitor,
    next: number,
  ): number {
    if (this.xml && (this.selfClosing || isMarkupInXml(id, flags))) {
      this.contentEnd = next;
      if (id === TEMPLATE || id === SVG || id === MATH) return next;
    } else if ((flags & RAW) !== 0 || (id === NOSCRIPT && !this.noscript)) {
      this.contentEnd = this.textEnd(id, next);
    } else {
      if (id === PLAINTEXT) return -1;
      if (id === TEMPLATE) {
        if (this.push(TEMPLATE_HASH, IN_TEMPLATE)) this.templates += 1;
      } else if (id !== NOSCRIPT && !this.selfClosing) {
        this.push(id === SVG ? SVG_HASH : MATH_HASH, id === SVG ? IN_SVG : IN_MATH);
      }
      return next;
    }
    const shown = ((wanted[id] ?? 0) & WANTED) === 0 || this.templates > 0 ? true : visit(this);
    return shown ? this.contentEnd : -1;
  }

  private textEnd(id: number, start: number): number {
    const name = NAMES[id] ?? '';
    if (this.xml) return xmlTextEnd(this.html, name, start);
    return id === SCRIPT ? this.scriptEnd(start) : rawTextEnd(this.html, name, start);
  }

  /** A start tag inside SVG or MathML. */
  private foreignTag(
    hash: number,
    id: number,
    flags: number,
    wanted: TagSet,
    visit: TagVisitor,
    next: number,
  ): number {
    const top = this.depth - 1;
    const inSvg = this.openModes[top] === IN_SVG;
    if (!this.selfClosing) {
      if (inSvg) this.push(hash, (flags & SVG_POINT) !== 0 ? HTML_POINT : IN_SVG);
      else if ((flags & MATH_POINT) !== 0) this.push(hash, HTML_POINT);
      else if (hash === ANNOTATION_HASH)
        this.push(hash, this.isHtmlAnnotation() ? HTML_POINT : IN_MATH);
      else
        this.push(hash, id === SVG && this.openNames[top] === ANNOTATION_HASH ? IN_SVG : IN_MATH);
    }
    this.svg = inSvg;
    if (
      inSvg &&
      ((wanted[id] ?? 0) & WANTED_IN_SVG) !== 0 &&
      this.templates === 0 &&
      !visit(this)
    ) {
      return -1;
    }
    return next;
  }

  /** Reads the end tag whose name begins at `start`. */
  private endTag(start: number): number {
    const { html } = this;
    const first = html.charCodeAt(start);
    if (!isLetter(first)) {
      // `</>` is nothing, `</ x>` is a comment.
      return first === GREATER ? start + 1 : skipPast(html, '>', start);
    }
    let hash = 0;
    let at = start;
    for (;;) {
      const code = html.charCodeAt(at);
      if (code === GREATER) break;
      if (code === SLASH || isBlank(code)) break;
      if (code !== code) return -1;
      hash = (Math.imul(hash, 31) + (code | 0x20)) | 0;
      at += 1;
    }
    const next = this.endTags ? this.readAttributes(at) : skipAttributes(html, at);
    if (next !== -1 && this.depth > 0) {
      this.close(hash, FLAGS[findElement(html, start, at, hash)] ?? 0);
    }
    return next;
  }

  private close(hash: number, flags: number): void {
    const { openNames, openModes } = this;
    const foreign = this.inForeign();
    if (foreign && (hash === P_HASH || hash === BR_HASH)) {
      this.leaveForeign();
      return;
    }
    const top = this.depth - 1;
    const last = this.searches > 0 ? 0 : top;
    for (let i = top; i >= last; i -= 1) {
      this.searches -= 1;
      if (openNames[i] === hash) {
        if (openModes[i] === IN_TEMPLATE) this.templates -= 1;
        this.depth = i;
        return;
      }
      // Only `</template>` reaches out of a template.
      if (openModes[i] === IN_TEMPLATE) break;
    }
    if (foreign && (flags & CONTAINER) !== 0) this.leaveForeign();
  }

  private push(hash: number, mode: number): boolean {
    if (this.depth === MAX_DEPTH) return false;
    this.openNames[this.depth] = hash;
    this.openModes[this.depth] = mode;
    this.depth += 1;
    return true;
  }

  private inForeign(): boolean {
    return this.depth > 0 && (this.openModes[this.depth - 1] ?? HTML_POINT) < HTML_POINT;
  }

  private leaveForeign(): void {
    while (this.inForeign()) this.depth -= 1;
  }

  private hasFontAttribute(): boolean {
    return (
      this.find(COLOR) !== undefined ||
      this.find(FACE) !== undefined ||
      this.find(SIZE) !== undefined
    );
  }

  private isHtmlAnnotation(): boolean {
    const encoding = this.find(ENCODING)?.toLowerCase();
    return encoding === 'text/html' || encoding === 'application/xhtml+xml';
  }

  /** What begins with `<!`: a comment, CDATA, or something that ends at the first `>`. */
  private declaration(start: number): number {
    const { html } = this;
    if (html.startsWith('--', start)) return commentEnd(html, start, this.xml);
    if ((this.xml || this.inForeign()) && html.startsWith('[CDATA[', start)) {
      return skipPast(html, ']]>', start + 7);
    }
    if (this.xml && !this.doctype && html.startsWith('DOCTYPE', start)) {
      this.doctype = true;
      const end = xmlDoctypeEnd(html, start);
      if (end !== -1) return end;
    }
    return skipPast(html, '>', start);
  }

  /** As `rawTextEnd`, with the rules of scripts in comments (HTML §13.2.5.15 to 13.2.5.31). */
  private scriptEnd(start: number): number {
    const { html } = this;
    let at = start;
    /** Inside `<!--`, and there inside another `<script`. */
    let escaped = false;
    let doubleEscaped = false;
    for (;;) {
      const tag = html.indexOf('<', at);
      if (escaped) {
        const dashes = this.arrowAfter(at);
        if (dashes !== -1 && (tag === -1 || dashes < tag)) {
          escaped = doubleEscaped = false;
          at = dashes + 3;
          continue;
        }
      }
      if (tag === -1) return -1;
      const code = html.charCodeAt(tag + 1);
      if (code === SLASH) {
        if (isTagNameAt(html, 'script', tag + 2)) {
          if (!doubleEscaped) return tag;
          doubleEscaped = false;
        }
        at = tag + 2;
      } else if (escaped) {
        if (isTagNameAt(html, 'script', tag + 1)) doubleEscaped = true;
        at = tag + 1;
      } else if (html.startsWith('!--', tag + 1)) {
        escaped = true;
        // The two dashes may be those of `-->`.
        at = tag + 2;
      } else {
        at = tag + 1;
      }
    }
  }

  /** Index of the next `-->`. Remembered: scripts without one must not search all that follows. */
  private arrowAfter(at: number): number {
    if (at < this.arrowFrom || (this.arrow !== -1 && this.arrow < at)) {
      this.arrowFrom = at;
      this.arrow = this.html.indexOf('-->', at);
    }
    return this.arrow;
  }

  /** As `skipAttributes`, and keeps them for {@link find}. */
  private readAttributes(start: number): number {
    const { html } = this;
    let at = start;
    let end = 0;
    this.attributesEnd = 0;
    this.attributeCount = 0;
    this.selfClosing = false;
    for (;;) {
      let code = html.charCodeAt(at);
      if (code === GREATER) {
        this.attributesEnd = end;
        return at + 1;
      }
      if (code !== code) return -1;
      if (isBlank(code)) {
        at += 1;
        continue;
      }
      if (code === SLASH) {
        at += 1;
        if (html.charCodeAt(at) === GREATER) this.selfClosing = true;
        continue;
      }
      const nameStart = at;
      let hash = 0;
      do {
        hash = (Math.imul(hash, 31) + (code | 0x20)) | 0;
        at += 1;
        code = html.charCodeAt(at);
        if (code !== code) return -1;
      } while (code !== GREATER && code !== EQUALS && code !== SLASH && !isBlank(code));
      const nameEnd = at;
      while (isBlank(code)) {
        at += 1;
        code = html.charCodeAt(at);
      }
      let valueStart = at;
      let valueEnd = at;
      if (code === EQUALS) {
        at += 1;
        code = html.charCodeAt(at);
        while (isBlank(code)) {
          at += 1;
          code = html.charCodeAt(at);
        }
        if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
          valueStart = at + 1;
          valueEnd = html.indexOf(code === DOUBLE_QUOTE ? '"' : "'", valueStart);
          if (valueEnd === -1) return -1;
          at = valueEnd + 1;
        } else {
          valueStart = at;
          while (code !== GREATER && !isBlank(code)) {
            if (code !== code) return -1;
            at += 1;
            code = html.charCodeAt(at);
          }
          valueEnd = at;
        }
      }
      this.attributeCount += 1;
      if (end === FIELDS * MAX_ATTRIBUTES) continue;
      if (end === this.attributes.length) this.grow();
      const { attributes } = this;
      attributes[end] = hash;
      attributes[end + 1] = nameStart;
      attributes[end + 2] = nameEnd;
      attributes[end + 3] = valueStart;
      attributes[end + 4] = valueEnd;
      end += FIELDS;
    }
  }

  private grow(): void {
    const larger = new Int32Array(Math.min(2 * this.attributes.length, FIELDS * MAX_ATTRIBUTES));
    larger.set(this.attributes);
    this.attributes = larger;
  }
}
