/**
 * The small rules of HTML's syntax (HTML §13.2.5) that more than one reader of it needs.
 * Indexes go into the text; -1 means that the text ends first.
 */

export const TAB = 9;
export const LF = 10;
export const FF = 12;
export const CR = 13;
export const SPACE = 32;
export const BANG = 33;
export const DOUBLE_QUOTE = 34;
export const SINGLE_QUOTE = 39;
export const DASH = 45;
export const SLASH = 47;
export const EQUALS = 61;
export const GREATER = 62;
export const QUESTION = 63;

/** ASCII whitespace of the HTML standard. */
export function isBlank(code: number): boolean {
  return (
    code <= SPACE && (code === SPACE || code === LF || code === TAB || code === CR || code === FF)
  );
}

export function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 97 && lower <= 122;
}

function lowerCase(code: number): number {
  return code >= 65 && code <= 90 ? code | 0x20 : code;
}

/** Whether `html` has `name`, which is lower case, at an index, in any case. */
export function hasNameAt(html: string, name: string, at: number): boolean {
  for (let i = 0; i < name.length; i += 1) {
    if (lowerCase(html.charCodeAt(at + i)) !== name.charCodeAt(i)) return false;
  }
  return true;
}

/** The end of the comment whose text begins at `start + 2` (HTML §13.2.5.43 to 13.2.5.52). */
export function commentEnd(html: string, start: number, xml = false): number {
  let run = start;
  while (run !== -1) {
    let at = run + 2;
    while (html.charCodeAt(at) === DASH) at += 1;
    const code = html.charCodeAt(at);
    if (code === GREATER) return at + 1;
    // `<!--!>` and `<!---!>` do not end a comment, `<!----!>` does.
    if (
      code === BANG &&
      html.charCodeAt(at + 1) === GREATER &&
      !xml &&
      (run !== start || at - run >= 4)
    ) {
      return at + 2;
    }
    run = html.indexOf('--', at);
  }
  return -1;
}

/** Index of the end tag that ends the raw text from `start`, or -1 if there is none. */
export function rawTextEnd(html: string, name: string, start: number): number {
  let at = html.indexOf('</', start);
  while (at !== -1) {
    if (isTagNameAt(html, name, at + 2)) return at;
    at = html.indexOf('</', at + 2);
  }
  return -1;
}

/** As {@link rawTextEnd} by the rules of XML: an end tag in CDATA or in a comment is none. */
export function xmlTextEnd(xml: string, name: string, start: number): number {
  let at = xml.indexOf('<', start);
  while (at !== -1) {
    if (xml.charCodeAt(at + 1) === SLASH && isTagNameAt(xml, name, at + 2)) return at;
    let next = at + 1;
    if (xml.startsWith('<!--', at)) next = skipPast(xml, '-->', at + 4);
    else if (xml.startsWith('<![CDATA[', at)) next = skipPast(xml, ']]>', at + 9);
    if (next === -1) return -1;
    at = xml.indexOf('<', next);
  }
  return -1;
}

/**
 * Index behind a DOCTYPE of XML, whose internal subset may hold tags: in entities, and in
 * comments. -1 if it does not end.
 */
export function xmlDoctypeEnd(xml: string, start: number): number {
  const mark = /["'[\]>]|<!--|<\?/g;
  mark.lastIndex = start;
  let subset = false;
  for (;;) {
    const token = mark.exec(xml)?.[0];
    if (token === undefined) return -1;
    let end = mark.lastIndex;
    if (token === '"' || token === "'") end = skipPast(xml, token, end);
    else if (token === '<!--') end = skipPast(xml, '-->', end);
    else if (token === '<?') end = skipPast(xml, '?>', end);
    else if (token === '>' && !subset) return end;
    else if (token !== '>') subset = token === '[';
    if (end === -1) return -1;
    mark.lastIndex = end;
  }
}

/** Whether the name of a tag, in any case, is `name`, which is lower case. */
export function isTagNameAt(html: string, name: string, at: number): boolean {
  if (!hasNameAt(html, name, at)) return false;
  const code = html.charCodeAt(at + name.length);
  return code === GREATER || code === SLASH || isBlank(code);
}

/** Index behind the next `text`. */
export function skipPast(html: string, text: string, from: number): number {
  const found = html.indexOf(text, from);
  return found === -1 ? -1 : found + text.length;
}

/** Index after the `>` of the tag whose name ends at `start`, or -1. */
export function skipAttributes(html: string, start: number): number {
  let at = start;
  for (;;) {
    // Between attributes, or in the name of one. Only after `=` does a quote open a value.
    let code = html.charCodeAt(at);
    if (code === GREATER) return at + 1;
    if (code !== code) return -1;
    at += 1;
    if (code === SLASH || isBlank(code)) continue;
    // In a name: a `=` in front belongs to it.
    code = html.charCodeAt(at);
    while (code !== GREATER && code !== EQUALS && code !== SLASH && !isBlank(code)) {
      if (code !== code) return -1;
      at += 1;
      code = html.charCodeAt(at);
    }
    while (isBlank(code)) {
      at += 1;
      code = html.charCodeAt(at);
    }
    if (code !== EQUALS) continue;
    at += 1;
    code = html.charCodeAt(at);
    while (isBlank(code)) {
      at += 1;
      code = html.charCodeAt(at);
    }
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      at = html.indexOf(code === DOUBLE_QUOTE ? '"' : "'", at + 1) + 1;
      if (at === 0) return -1;
      continue;
    }
    while (code !== GREATER && !isBlank(code)) {
      if (code !== code) return -1;
      at += 1;
      code = html.charCodeAt(at);
    }
  }
}
