import { isSpace } from './ascii-bytes.js';

/**
 * The charset in the `content` of a `meta`: HTML standard §2.4.2, "extracting a character
 * encoding from a meta element".
 */
export function charsetOfContent(content: string): string | undefined {
  const lower = content.toLowerCase();
  let position = 0;
  for (;;) {
    position = lower.indexOf('charset', position);
    if (position === -1) return undefined;
    position += 7;
    position = skipBlanks(content, position);
    if (content.charAt(position) !== '=') continue;
    position = skipBlanks(content, position + 1);
    const quote = content.charAt(position);
    if (quote === '"' || quote === "'") {
      const close = content.indexOf(quote, position + 1);
      return close === -1 ? undefined : content.slice(position + 1, close);
    }
    let end = position;
    while (end < content.length && content.charAt(end) !== ';' && !isSpace(content.charCodeAt(end)))
      end++;
    return end === position ? undefined : content.slice(position, end);
  }
}

function skipBlanks(text: string, position: number): number {
  while (isSpace(text.charCodeAt(position))) position++;
  return position;
}
