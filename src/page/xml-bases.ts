/** A longer base (characters) would make long URLs of many short links. */
const MAX_BASE = 4_096;

/**
 * The `xml:base` attributes of the elements that are open, each relative to the one around it
 * (XML Base §4): Atom says that they hold for its links (RFC 4287 §2).
 */
export class XmlBases {
  readonly #document: string;
  readonly #open: { readonly depth: number; readonly href: string }[] = [];

  /** @param document - URL of the document */
  constructor(document: string) {
    this.#document = document;
  }

  /** @param base - the element's `xml:base`, if it has one */
  open(depth: number, base: string | undefined): void {
    if (base === undefined) return;
    const href = parse(base, this.#open.at(-1)?.href ?? this.#document);
    if (href !== undefined && href.length <= MAX_BASE) this.#open.push({ depth, href });
  }

  close(depth: number): void {
    if (this.#open.at(-1)?.depth === depth) this.#open.pop();
  }

  /** A reference by the innermost base; as it stands if there is none, or if it is no URL. */
  resolve(reference: string): string {
    const base = this.#open.at(-1)?.href;
    return base === undefined ? reference : (parse(reference, base) ?? reference);
  }
}

function parse(reference: string, base: string): string | undefined {
  try {
    return new URL(reference, base).href;
  } catch {
    return undefined;
  }
}
