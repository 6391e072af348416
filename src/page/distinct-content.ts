import { defer, filter, type MonoTypeOperatorFunction } from 'rxjs';
import { expectOptions, integerFrom } from '../core/expect-options.js';
import { contentHash } from './content-hash.js';
import { bitsApart, type SimilarityHash, similarityHash } from './similarity-hash.js';

/** What {@link distinctContent} takes. */
export interface DistinctContentOptions {
  /**
   * Most bits, of 64, in which the fingerprints of two pages that say the same may differ. From 0
   * to 3: 0 lets only equal texts count. Default 3.
   */
  readonly distance?: number;
  /** So many pages are remembered; the oldest is forgotten first. Default 100,000, some 30 MB. */
  readonly remember?: number;
}

/** What is read of a page. */
export interface HasBytes {
  readonly bytes: Uint8Array;
}

/** Of two fingerprints that differ in at most 3 bits, one of four parts is equal. */
const PARTS = 4;

/**
 * Lets only pages pass whose text is not, or nearly, that of a page before: printer versions,
 * mirrors, session copies. Markup and links do not count. Pages of fewer than 20 words have to
 * be equal.
 *
 * ```text
 * pages:    a-b-c-a|     b says what a says but for a word
 * distinct: a---c--|
 * ```
 *
 * @throws RangeError that names the option that is wrong
 *
 * @example
 * ```ts
 * crawl()('https://site.example/').pipe(pages(), distinctContent()).subscribe(index);
 * ```
 */
export function distinctContent<P extends HasBytes>(
  options: DistinctContentOptions = {},
): MonoTypeOperatorFunction<P> {
  expectOptions('distinctContent', options, { distance: integerFrom(0), remember: integerFrom(1) });
  const { distance = 3, remember = 100_000 } = options;
  if (distance > PARTS - 1) {
    throw new RangeError(`distinctContent: distance: expected 0 to ${PARTS - 1}, got ${distance}`);
  }
  return (pages$) =>
    defer(() => {
      const texts = new RecentTexts(distance, remember);
      return pages$.pipe(filter(({ bytes }) => texts.add(bytes)));
    });
}

interface Entry extends SimilarityHash {
  readonly keys: readonly number[];
}

class RecentTexts {
  readonly #distance: number;
  readonly #remember: number;
  /** Hashes of whole texts, oldest first, with the fingerprints of those that have one. */
  readonly #exact = new Map<number, Entry | undefined>();
  /** Fingerprints by each of their parts. */
  readonly #parts = new Map<number, Set<Entry>>();

  constructor(distance: number, remember: number) {
    this.#distance = distance;
    this.#remember = remember;
  }

  /** False if a text is known. */
  add(bytes: Uint8Array): boolean {
    const exact = contentHash(bytes);
    if (this.#exact.has(exact)) return false;
    const print = this.#distance === 0 ? undefined : similarityHash(bytes);
    const entry = print && { ...print, keys: partsOf(print) };
    if (entry !== undefined) {
      if (this.#isNear(entry)) return false;
      for (const key of entry.keys) this.#listOf(key).add(entry);
    }
    this.#exact.set(exact, entry);
    if (this.#exact.size > this.#remember) this.#forgetOldest();
    return true;
  }

  #isNear(entry: Entry): boolean {
    for (const key of entry.keys) {
      for (const other of this.#parts.get(key) ?? []) {
        if (bitsApart(entry, other) <= this.#distance) return true;
      }
    }
    return false;
  }

  #listOf(key: number): Set<Entry> {
    const list = this.#parts.get(key) ?? new Set();
    this.#parts.set(key, list);
    return list;
  }

  #forgetOldest(): void {
    const [oldest] = this.#exact;
    if (oldest === undefined) return;
    const [exact, entry] = oldest;
    this.#exact.delete(exact);
    for (const key of entry?.keys ?? []) {
      const list = this.#parts.get(key);
      list?.delete(entry as Entry);
      if (list?.size === 0) this.#parts.delete(key);
    }
  }
}

/** The four parts of a fingerprint, each with its place. */
function partsOf({ high, low }: SimilarityHash): number[] {
  return [low & 0xffff, low >>> 16, high & 0xffff, high >>> 16].map(
    (part, place) => place * 0x10000 + part,
  );
}
