/**
 * Crawls 1,000 pages with 100 items each, into `FILE`, with `--expose-gc`; prints the bytes that are
 * in use behind 20,000, 60,000 and 100,000 items, and how many were on their way at once at most.
 */
import { memoryUsage } from 'node:process';
import { concat, defer, from, ignoreElements, of, tap } from 'rxjs';
import { bufferedSink, crawl, type Fetcher } from '../../src/core/index.js';
import { jsonLinesSink } from '../../src/items/index.js';

const collect = globalThis.gc as () => void;
const store = jsonLinesSink<{ n: number; text: string }>(process.argv[2] ?? '');
const bytes: number[] = [];
let made = 0;
let saved = 0;
let most = 0;

const sink = bufferedSink(
  (item: { n: number; text: string }) =>
    store(item).pipe(
      tap(() => {
        saved += 1;
        if (![20_000, 60_000, 100_000].includes(saved)) return;
        collect();
        bytes.push(memoryUsage().heapUsed + memoryUsage().external);
      }),
    ),
  { capacity: 50 },
);
const fetcher: Fetcher = ({ url }) =>
  of({ url, status: 200, headers: {}, body: new Uint8Array(1_000), redirects: [], wireBytes: 0 });

function* seeds(): Generator<string> {
  for (let page = 0; page < 1_000; page++) yield `https://x.example/${page}`;
}

concat(
  crawl({
    fetcher,
    delay: 0,
    sink,
    *handle() {
      for (let left = 100; left > 0; left--) {
        made += 1;
        most = Math.max(most, made - saved);
        yield { n: made, text: `item ${made} `.repeat(10) };
      }
    },
  })(from(seeds())),
  defer(() => sink.close('drain')),
  store.close(),
)
  .pipe(ignoreElements())
  .subscribe({ complete: () => console.log(JSON.stringify({ bytes, most, saved })) });
