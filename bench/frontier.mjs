/**
 * A million requests through `queued` without network, and what waiting requests and seen URLs
 * take of memory.
 *
 *     node bench/frontier.mjs [--requests 1000000]
 */
import { parseArgs } from 'node:util';
import { Observable } from 'rxjs';
import { bytesOf } from './memory.mjs';
import { build } from './prepare.mjs';

build();
const { crawl, exactSet, fingerprintSet, memoryFrontier, queued, requestFromHref, simple } =
  await import('../dist/core/index.js');

const { values } = parseArgs({ options: { requests: { type: 'string', default: '1000000' } } });
const count = Number(values.requests);
const BRANCHING = 10;
const WORKERS = 10;

/** A URL of 68 characters, the mean length in the wild; flattened, as a parsed one is. */
function urlOf(index) {
  const url = `https://docs.site.example/reference/guide/chapter/page-${String(index).padStart(8, '0')}.html`;
  return JSON.parse(JSON.stringify(url));
}

function childrenOf(index) {
  const children = [];
  for (let child = index * BRANCHING + 1; child <= index * BRANCHING + BRANCHING; child++) {
    if (child < count) children.push(requestFromHref(urlOf(child)));
  }
  return children;
}

const indexOf = (url) => Number(url.slice(-13, -5));

/** An answer that comes in a microtask. */
const soon = (make) =>
  new Observable((subscriber) => {
    void Promise.resolve().then(() => {
      subscriber.next(make());
      subscriber.complete();
    });
  });

/** The whole core: admission, dedupe, strategy, events; only the fetch is no fetch. */
function crawlAll(strategy) {
  const body = new Uint8Array();
  return crawl({
    strategy,
    fetcher: ({ url }) =>
      soon(() => ({ url, status: 200, headers: {}, body, redirects: [], wireBytes: 0 })),
    handle: ({ url }) => childrenOf(indexOf(url)),
    perHost: Infinity,
    delay: 0,
    maxDepth: Infinity,
  })([urlOf(0)]);
}

async function microseconds(events$) {
  let done = 0;
  const start = performance.now();
  await events$.forEach((event) => {
    if (event.type === 'done') done++;
  });
  const ms = performance.now() - start;
  if (done !== count) throw new Error(`expected ${count} requests, got ${done}`);
  return (ms * 1000) / count;
}

const rows = [];
rows.push(['µs per request, whole core, `queued`', await microseconds(crawlAll(queued(WORKERS)))]);
if (count <= 100_000) {
  rows.push([
    'µs per request, whole core, `simple`',
    await microseconds(crawlAll(simple(WORKERS))),
  ]);
}

function each(use) {
  for (let index = 0; index < count; index++) use(urlOf(index));
}

const [requestBytes, requests] = bytesOf(() => {
  const list = [];
  each((url) => list.push(requestFromHref(url)));
  return list;
});
rows.push(['bytes per request, alone in an array', requestBytes / count]);

const [exactBytes] = bytesOf(() => {
  const seen = exactSet();
  each((url) => seen.add(url));
  return seen;
});
rows.push(['bytes per seen URL, `exactSet`', exactBytes / count]);

const [fingerprintBytes] = bytesOf(() => {
  const seen = fingerprintSet();
  each((url) => seen.add(url));
  return seen;
});
rows.push(['bytes per seen URL, `fingerprintSet`', fingerprintBytes / count]);

console.log(`${count} requests\n\n| what | value |\n| --- | --: |`);
for (const [what, value] of rows) console.log(`| ${what} | ${value.toFixed(1)} |`);
void memoryFrontier;
void requests;
