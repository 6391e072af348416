import { from, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { bitsApart, distinctContent, similarityHash } from 'rxcrawl';
import { seededRandom } from 'rxcrawl/testing';
import { marbles } from '../helpers/marbles.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A text of random words that the seed determines. */
function textOf(seed: number, words = 300): string[] {
  const random = seededRandom(seed);
  return Array.from({ length: words }, () => `w${Math.floor(random() * 5_000)}`);
}

const page = (text: string, name = text) => ({ name, bytes: bytes(text) });

async function distinct(pages: readonly { name: string; bytes: Uint8Array }[], options = {}) {
  const passed = await lastValueFrom(from(pages).pipe(distinctContent(options), toArray()));
  return passed.map(({ name }) => name);
}

describe('distinctContent', () => {
  it(
    'drops pages that say what one before says, or nearly',
    marbles((m) => {
      const words = textOf(1, 3_000);
      const changed = words.with(1_500, 'changed');
      const pages$ = m.cold('  a-b-c-a|', {
        a: page(words.join(' '), 'a'),
        b: page(`<p>${changed.join('</p> <p>')}`, 'a'),
        c: page(textOf(2).join(' '), 'c'),
      });
      const expected = '       a---c--|';
      m.expect(pages$.pipe(distinctContent())).toBeObservable(expected, {
        a: page(words.join(' '), 'a'),
        c: page(textOf(2).join(' '), 'c'),
      });
    }),
  );

  it('lets different pages of one template pass', async () => {
    const pages = Array.from({ length: 500 }, (_, n) =>
      page(`<h1>Item</h1> ${textOf(n, 150).join(' ')} all rights reserved`, String(n)),
    );
    expect(await distinct(pages)).toHaveLength(500);
  });

  it('compares short pages as they are', async () => {
    expect(await distinct([page('page 1'), page('page 2'), page('<b>page</b> 1', 'same')])).toEqual(
      ['page 1', 'page 2'],
    );
  });

  it('forgets the oldest, and keeps to equal texts with distance 0', async () => {
    const [a, b, c] = [1, 2, 3].map((n) => page(textOf(n).join(' '), String(n)));
    expect(await distinct([a!, b!, c!, a!], { remember: 2 })).toEqual(['1', '2', '3', '1']);
    const words = textOf(4, 3_000);
    const near = [page(words.join(' '), 'one'), page(words.with(9, 'x').join(' '), 'other')];
    expect(await distinct(near, { distance: 0 })).toEqual(['one', 'other']);
    expect(await distinct(near)).toEqual(['one']);
  });

  it('refuses wrong options', () => {
    expect(() => distinctContent({ distance: 4 })).toThrow(/distance: expected 0 to 3, got 4/);
    expect(() => distinctContent({ remember: 0 })).toThrow(RangeError);
  });
});

describe('similarityHash', () => {
  it('is near for texts that are near, and far for others', () => {
    const hash = (words: readonly string[]) => similarityHash(bytes(words.join(' ')))!;
    const words = textOf(1, 2_000);
    expect(bitsApart(hash(words), hash(words.with(7, 'x')))).toBeLessThanOrEqual(3);
    expect(bitsApart(hash(words), hash(textOf(2, 2_000)))).toBeGreaterThan(12);
    expect(similarityHash(bytes('too short'))).toBeUndefined();
    expect(similarityHash(bytes('<a href="x">'.repeat(100)))).toBeUndefined();
  });
});
