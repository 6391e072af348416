const BLOCK = 16_384;
const SMALL = BLOCK / 4;
/** So many parts are kept as they are, whatever their size. Nearly all bodies have fewer. */
const FREE_PARTS = 32;

/**
 * Collects the parts of a body. Beyond a number of parts, small ones are copied together into
 * blocks: a server that sends a body in chunks of one byte would otherwise cost over 100 bytes of
 * memory for each of them.
 */
export class BodyChunks {
  size = 0;
  #parts: Uint8Array[] = [];
  #block: Uint8Array | undefined;
  #used = 0;

  push(part: Uint8Array): void {
    this.size += part.length;
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
    this.#flush();
    const parts = this.#parts;
    this.#parts = [];
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  #flush(): void {
    if (this.#block === undefined) return;
    this.#parts.push(this.#block.subarray(0, this.#used));
    this.#block = undefined;
    this.#used = 0;
  }
}
