import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  catchError,
  concat,
  firstValueFrom,
  lastValueFrom,
  mergeMap,
  NEVER,
  of,
  range,
  Subject,
  tap,
  throwError,
  toArray,
  type Observable,
} from 'rxjs';
import { describe, expect, it } from 'vitest';
import { crawl } from '../../src/core/index.js';
import { jsonLinesSink, toJsonLines } from '../../src/items/index.js';
import { describeShared } from '../helpers/shared-cases.js';
import { scratchFolder } from '../helpers/scratch-folder.js';

const folder = scratchFolder();
let files = 0;
const newPath = () => join(folder, `${files++}.jsonl`);
const all = <T>(source$: Observable<T>) => lastValueFrom(source$.pipe(toArray()));
const read = (path: string) => readFileSync(path, 'utf8');

/** Until the file says so: for what happens behind a stream that nobody listens to any more. */
async function untilFile(path: string, content: string): Promise<void> {
  while (!existsSync(path) || read(path) !== content) await new Promise(setImmediate);
}

describe('toJsonLines', () => {
  it('writes one line an item, passes it on, and completes when all is safe', async () => {
    const path = newPath();
    const items = [{ a: 1 }, 'x\ny', null, [1], '\u2028'];
    expect(await all(of(...items).pipe(toJsonLines(path)))).toEqual(items);
    const lines = read(path).split('\n');
    expect(lines).toHaveLength(items.length + 1);
    expect(lines.slice(0, -1).map((line) => JSON.parse(line) as unknown)).toEqual(items);
  });

  it('passes an item on only when it is in the file', async () => {
    const path = newPath();
    const check = (n: number) => expect(read(path).split('\n').length).toBeGreaterThan(n);
    await all(range(1, 50).pipe(toJsonLines(path), tap(check)));
  });

  it('keeps the order, however many come at once', async () => {
    const path = newPath();
    expect(await all(range(0, 5000).pipe(toJsonLines(path)))).toHaveLength(5000);
    expect(read(path)).toBe(Array.from({ length: 5000 }, (_, i) => `${i}\n`).join(''));
  });

  it('loses nothing of a hot source that begins while the file is being opened', async () => {
    const path = newPath();
    const source$ = new Subject<number>();
    const stored = all(source$.pipe(toJsonLines(path)));
    source$.next(1);
    source$.next(2);
    source$.complete();
    expect(await stored).toEqual([1, 2]);
    expect(read(path)).toBe('1\n2\n');
  });

  it('destroys nothing unless told so', async () => {
    const path = newPath();
    writeFileSync(path, '"old"\n');
    await expect(all(of(1).pipe(toJsonLines(path)))).rejects.toMatchObject({
      code: 'sink-failed',
      message: expect.stringMatching(/the file exists; choose the mode/) as string,
    });
    expect(read(path)).toBe('"old"\n');
    await all(of(1).pipe(toJsonLines(path, { mode: 'append' })));
    expect(read(path)).toBe('"old"\n1\n');
    await all(of(2).pipe(toJsonLines(path, { mode: 'overwrite' })));
    expect(read(path)).toBe('2\n');
  });

  it.each([
    ['', ''],
    ['{"a":1}\n{"b"', '{"a":1}\n'],
    ['{"a":', ''],
    ['{"a":1}\n12', '{"a":1}\n'],
    ['{"a":1}\n{"b":2}', '{"a":1}\n{"b":2}\n'],
    ['{"a":1}\n\n', '{"a":1}\n\n'],
    [`"${'x'.repeat(200_000)}"\n"${'y'.repeat(200_000)}`, `"${'x'.repeat(200_000)}"\n`],
  ])('goes on behind the last whole line of a file (%#)', async (before, kept) => {
    const path = newPath();
    writeFileSync(path, before);
    await all(of('new').pipe(toJsonLines(path, { mode: 'append' })));
    expect(read(path)).toBe(`${kept}"new"\n`);
  });

  it('repairs a file that was cut at any byte', async () => {
    const lines = ['{"title":"é"}', '{"n":1}', '"x"'].map((line) => `${line}\n`);
    const whole = Buffer.from(lines.join(''));
    for (let cut = 0; cut <= whole.length; cut++) {
      const path = newPath();
      writeFileSync(path, whole.subarray(0, cut));
      await all(of(0).pipe(toJsonLines(path, { mode: 'append' })));
      const kept = read(path).split('\n').slice(0, -2);
      expect(lines.map((line) => line.trim()).slice(0, kept.length)).toEqual(kept);
      expect(kept.length).toBeGreaterThanOrEqual(
        whole.subarray(0, cut).toString().split('\n').length - 1,
      );
    }
  });

  it('leaves an empty file where there are no items', async () => {
    const path = newPath();
    await all(of().pipe(toJsonLines(path)));
    expect(read(path)).toBe('');
  });

  it('has all in the file when the stream errors, and on unsubscribe', async () => {
    const path = newPath();
    const failing$ = concat(
      of(1, 2),
      throwError(() => new Error('mine')),
    );
    await expect(all(failing$.pipe(toJsonLines(path)))).rejects.toThrow('mine');
    expect(read(path)).toBe('1\n2\n');

    const stopped = newPath();
    const subscription = concat(of(1, 2), NEVER).pipe(toJsonLines(stopped)).subscribe();
    await untilFile(stopped, '');
    subscription.unsubscribe();
    const later = newPath();
    await firstValueFrom(concat(of(1, 2, 3), NEVER).pipe(toJsonLines(later)));
    await untilFile(later, '1\n2\n3\n');
  });

  it('tells what cannot be written', async () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    for (const item of [cycle, 1n, undefined, () => 1]) {
      await expect(all(of(item).pipe(toJsonLines(newPath())))).rejects.toMatchObject({
        code: 'sink-failed',
      });
    }
    await expect(all(of(1).pipe(toJsonLines(join(folder, 'no', 'x'))))).rejects.toThrow('ENOENT');
    await expect(all(of(1).pipe(toJsonLines(folder, { mode: 'overwrite' })))).rejects.toThrow(
      'EISDIR',
    );
    await expect(all(of(1).pipe(toJsonLines('/dev/full', { mode: 'overwrite' })))).rejects.toThrow(
      'ENOSPC',
    );
  });

  it('refuses wrong options', () => {
    expect(() => toJsonLines('x', { mode: 'w' as never })).toThrow('toJsonLines: mode: expected');
    expect(() => jsonLinesSink('x', { append: true } as never)).toThrow('unknown option "append"');
  });
});

describe('jsonLinesSink', () => {
  it('fails one item alone', async () => {
    const path = newPath();
    const sink = jsonLinesSink<unknown>(path);
    const results = await all(
      of(1, 2n, 3).pipe(mergeMap((item) => sink(item).pipe(catchError(() => of('failed'))))),
    );
    await all(sink.close());
    expect(results.sort()).toEqual([1, 3, 'failed']);
    expect(read(path)).toBe('1\n3\n');
  });

  it('is closed behind a crawl, not when the end is put together', async () => {
    const path = newPath();
    const sink = jsonLinesSink<string>(path);
    const closed$ = concat(
      crawl({
        fetcher: ({ url }) =>
          of({
            url,
            status: 200,
            headers: {},
            body: new Uint8Array(),
            redirects: [],
            wireBytes: 0,
          }),
        sink,
        delay: 0,
        handle: ({ url }) => [url],
      })(['https://a.example/1', 'https://a.example/2']),
      sink.close(),
    );
    expect(existsSync(path)).toBe(false);
    const events = await all(closed$);
    expect(events.filter(({ type }) => type === 'done')).toHaveLength(2);
    expect(read(path)).toBe('"https://a.example/1"\n"https://a.example/2"\n');
  });

  it('does nothing before the first item, and refuses items when it is closed', async () => {
    const path = newPath();
    const sink = jsonLinesSink(path);
    sink(1);
    expect(existsSync(path)).toBe(false);
    await all(sink(1));
    await all(concat(sink.close(), sink.close()));
    await expect(all(sink(2))).rejects.toThrow('the output is closed');
    expect(read(path)).toBe('1\n');
  });
});

describeShared('downloads/blns.json', (path) => {
  it('round-trips naughty strings', async () => {
    const strings = JSON.parse(readFileSync(path, 'utf8')) as string[];
    const file = newPath();
    await all(of(...strings).pipe(toJsonLines(file)));
    const lines = read(file).split('\n').slice(0, -1);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(strings);
  });
});
