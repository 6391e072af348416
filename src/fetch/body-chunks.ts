const BLOCK = 16_384;
const SMALL = BLOCK / 4;
/** So many parts are kept as they are, whatever their size. Nearly all bodies have fewer. */
const FREE_PARTS = 32;

/**
 * Collects the parts of a body.
 *
 * A body of announced length is written to its place at once: parts that wait for the rest of
 * a page of megabytes outlive the young generation, and 16 such pages then weigh twice.
 *
 * Of any other, small parts are copied together into blocks beyond a number of them: a server
 * that sends a body in chunks of one byte would otherwise cost over 100 bytes of memory for each.
 */
export class BodyChunks {
  size = 0;
  #expected = 0;
  #whole: Uint8Array | undefined;
  #parts: Uint8Array[] = [];
  #block: Uint8Array | undefined;
  #used = 0;

  /** Tells how many bytes will come. Memory is taken once the first of them are here. */
  expect(bytes: number): void {
    this.#expected = bytes;
  }

  push(part: Uint8Array): void {
    const at = this.size;
    this.size += part.length;
    if (this.#isExpected(at, part.length)) {
      this.#whole ??= Buffer.allocUnsafeSlow(this.#expected);
      this.#whole.set(part, at);
      return;
    }
    this.#giveWholeUp(at);
    if (part.length >= SMALL || this.#parts.length < FREE_PARTS) {
      this.#flush();
      this.#parts.push(part);
      return;
    }
    if (this.#used + part.length > BLOCK) this.#flush();
    this.#block ??= Buffer.allocUnsafeSlow(BLOCK);
    this.#block.set(part, this.#used);
    this.#used += part.length;
  }

  /** The whole body; the collection is empty afterwards. */
  take(): Uint8Array {
    const whole = this.#whole;
    this.#whole = undefined;
    if (whole !== undefined) return whole.subarray(0, this.size);
    this.#flush();
    const parts = this.#parts;
    this.#parts = [];
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  /** Whether a part belongs into the whole, which is made for the first one that is not all. */
  #isExpected(at: number, length: number): boolean {
    if (at === 0) return length < this.#expected;
    return this.#whole !== undefined && this.size <= this.#expected;
  }

  /** More came than was announced. */
  #giveWholeUp(size: number): void {
    if (this.#whole === undefined) return;
    this.#parts.push(this.#whole.subarray(0, size));
    this.#whole = undefined;
  }

  #flush(): void {
    if (this.#block === undefined) return;
    this.#parts.push(this.#block.subarray(0, this.#used));
    this.#block = undefined;
    this.#used = 0;
  }
}
