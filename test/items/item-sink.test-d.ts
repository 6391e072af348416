import { of, type Observable } from 'rxjs';
import { expectTypeOf, test } from 'vitest';
import { crawl, items, type Fetcher } from '../../src/core/index.js';
import { bulk, csvSink, jsonLinesSink, toCsv, toJsonLines } from '../../src/items/index.js';

declare const fetcher: Fetcher;

test('sinks fit crawl(), and leave the type of the items to the handler', () => {
  const events = crawl({
    fetcher,
    *handle() {
      yield { title: 'a' };
    },
    sink: jsonLinesSink('x'),
  });
  expectTypeOf(events('x').pipe(items())).toEqualTypeOf<Observable<{ title: string }>>();
  const rows = crawl({ fetcher, handle: () => [{ n: 1 }], sink: csvSink('x') });
  expectTypeOf(rows('x').pipe(items())).toEqualTypeOf<Observable<{ n: number }>>();
});

test('operators keep the type of the items', () => {
  const stored$ = of({ n: 1 }).pipe(
    toJsonLines('x'),
    toCsv('y'),
    bulk(1, 1, (batch) => {
      expectTypeOf(batch).toEqualTypeOf<readonly { n: number }[]>();
      return [];
    }),
  );
  expectTypeOf(stored$).toEqualTypeOf<Observable<{ n: number }>>();
});
