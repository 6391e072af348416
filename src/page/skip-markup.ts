const GREATER = 0x3e;
const LESS = 0x3c;
const SLASH = 0x2f;
const DASH = 0x2d;
const BLANK = 0x20;
/** The bit that tells small letters from capital ones. */
const CASE = 0x20;
const SCRIPT = [0x73, 0x63, 0x72, 0x69, 0x70, 0x74];
const STYLE = [0x73, 0x74, 0x79, 0x6c, 0x65];

/** Where the script or style ends that is named at a place; the end of its tag if it is none. */
export function afterRawText(html: Uint8Array, name: number, tagEnd: number): number {
  if (isNamed(html, name, SCRIPT)) return afterElement(html, tagEnd, SCRIPT);
  if (isNamed(html, name, STYLE)) return afterElement(html, tagEnd, STYLE);
  return tagEnd;
}

function after(html: Uint8Array, from: number, wanted: number): number {
  let at = from;
  while (at < html.length && html[at] !== wanted) at += 1;
  return at + 1;
}

/** Where the comment ends that begins at a `<!`; the end of the tag if it is none. */
export function afterComment(html: Uint8Array, start: number, tagEnd: number): number {
  if (html[start + 2] !== DASH || html[start + 3] !== DASH) return tagEnd;
  for (let at = tagEnd; at <= html.length; at = after(html, at, GREATER)) {
    if (html[at - 2] === DASH && html[at - 3] === DASH) return at;
  }
  return html.length;
}

function afterElement(html: Uint8Array, from: number, name: readonly number[]): number {
  for (let at = after(html, from, LESS); at <= html.length; at = after(html, at, LESS)) {
    if (html[at] === SLASH && isNamed(html, at + 1, name)) return after(html, at, GREATER);
  }
  return html.length;
}

/** Whether a name stands at a place, in any case, and ends there. */
function isNamed(html: Uint8Array, at: number, name: readonly number[]): boolean {
  for (let index = 0; index < name.length; index += 1) {
    if (((html[at + index] ?? 0) | CASE) !== name[index]) return false;
  }
  const next = html[at + name.length] ?? BLANK;
  return next <= BLANK || next === GREATER || next === SLASH;
}
