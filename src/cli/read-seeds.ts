import { StringDecoder } from 'node:string_decoder';

/** Far longer than any URL that is fetched; what is longer is cut, and fails as a URL. */
const LONGEST_LINE = 65_536;

/**
 * Reads seeds, one a line: `#` starts a comment at the start of a line or after a blank; blank
 * lines, a byte order mark and blanks around a line do not count.
 *
 * Pulls: nothing is read before it is asked for, and a line without an end never fills the
 * memory. That is why this is no `readline`, which runs ahead and keeps a line whole.
 *
 * @param bytes - chunks of UTF-8, such as a stream of a file
 *
 * @example
 * ```ts
 * for await (const url of readSeeds(process.stdin)) console.log(url);
 * ```
 */
export async function* readSeeds(
  bytes: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of bytes) {
    const text = rest + (typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk)));
    const lines = text.split(/\r?\n/);
    rest = (lines.pop() ?? '').slice(0, LONGEST_LINE);
    for (const line of lines) yield* seedOf(line);
  }
  yield* seedOf(rest + decoder.end());
}

function seedOf(line: string): readonly string[] {
  const seed = line
    .slice(0, LONGEST_LINE)
    .replace(/^\uFEFF/, '')
    .replace(/(?:^|\s)#[^]*$/, '')
    .trim();
  return seed === '' ? [] : [seed];
}
