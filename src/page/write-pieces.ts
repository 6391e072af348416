import type { Parser } from 'htmlparser2';

const PIECE = 16_384;
/** An end tag that has no start tag is looked for among so many open elements in one unit of time. */
const A_SEARCH = 32;

/**
 * Feeds a parser piece by piece, so that it can be stopped in between. It tells nothing of end
 * tags without a start tag, which it looks for among all open elements, nor of character
 * references in attributes: these are counted here, by what they cost.
 *
 * @param depth - how many elements are open
 * @param mayGoOn - is told how much was counted in the next piece, and says whether to read it
 * @returns whether all was read, so that the parser may be told of the end
 */
export function writePieces(
  parser: Parser,
  text: string,
  depth: () => number,
  mayGoOn: (cost: number) => boolean,
): boolean {
  for (let at = 0; at < text.length; at += PIECE) {
    const piece = text.slice(at, at + PIECE);
    const search = Math.floor(depth() / A_SEARCH);
    if (!mayGoOn(count(piece, '&') + (search === 0 ? 0 : search * count(piece, '</'))))
      return false;
    parser.write(piece);
  }
  return mayGoOn(0);
}

function count(text: string, what: string): number {
  let found = 0;
  for (let at = text.indexOf(what); at !== -1; at = text.indexOf(what, at + 1)) found += 1;
  return found;
}
