/** An item whose texts have quotes, line ends and characters of several bytes wherever it is cut. */
export interface HostileItem {
  readonly n: number;
  readonly text: string;
  readonly long: string;
}

const TEXTS = ['plain', 'two\nlines', 'say "é"\r\n, 😀', '"', ',\n"\n', '', '{"n":1}\n', '\r\n'];

/** The item of a number; always the same. */
export function hostileItem(n: number): HostileItem {
  return { n, text: TEXTS[n % TEXTS.length]!, long: 'x\n"é\r\n'.repeat(n % 97) };
}
