/**
 * How many characters of a page may still be read for some purpose.
 *
 * What is worked out of one value costs up to 40 ns a character (a `rel` of letters and blanks, a
 * URL of character references), so that a page of 10 MiB, made of such values alone, would hold
 * the event loop for 400 ms. Linear time is not enough: the whole must be bounded.
 */
export class Allowance {
  private left: number;

  constructor(characters: number) {
    this.left = characters;
  }

  /** Whether nothing more may be read. */
  get spent(): boolean {
    return this.left <= 0;
  }

  /** Notes that something has been read, whether or not it still might. */
  spend(characters: number): void {
    this.left -= characters;
  }

  /** The beginning of a text, at most `most` characters, as far as it may be read. */
  take(text: string, most: number): string {
    const length = Math.max(0, Math.min(text.length, most, this.left));
    this.left -= length;
    return length === text.length ? text : text.slice(0, length);
  }

  /** Whether a text may be read whole; if so, it has been taken. */
  takes(text: string): boolean {
    if (text.length > this.left) return false;
    this.left -= text.length;
    return true;
  }
}
