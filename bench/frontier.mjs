/**
 * A million requests through `queued` without network, and what waiting requests and seen URLs
 * take of memory.
 *
 *     node bench/frontier.mjs [--requests 1000000]
 */
import { parseArgs } from 'node:util';
import { concat, mergeMap, NEVER, Observable, of } from 'rxjs';
import { bytesOf } from './memory.mjs';
import { build } from './prepare.mjs';

build();
const { crawl, exactSet, fingerprintSet, queued, requestFromHref, simple } =
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

/** The strategy alone: what waits, what runs next, on which worker. */
function runAll(strategy) {
  const visit = (request) =>
    soon(() => childrenOf(indexOf(request.url))).pipe(
      mergeMap((admitted) => [
        { type: 'found', request, admitted, duplicates: 0 },
        { type: 'done', request },
      ]),
    );
  return strategy(visit)(of(requestFromHref(urlOf(0))));
}

/** CPU time per request. */
async function microseconds(events$) {
  let done = 0;
  const start = process.cpuUsage();
  await events$.forEach((event) => {
    if (event.type === 'done') done++;
  });
  const { user, system } = process.cpuUsage(start);
  if (done !== count) throw new Error(`expected ${count} requests, got ${done}`);
  return (user + system) / count;
}

const rows = [];
const strategies = {
  queued: queued(WORKERS),
  ...(count <= 100_000 && { simple: simple(WORKERS) }),
};
for (const [name, strategy] of Object.entries(strategies)) {
  rows.push([`µs per request, \`${name}\` alone`, await microseconds(runAll(strategy))]);
  rows.push([`µs per request, \`crawl\` with \`${name}\``, await microseconds(crawlAll(strategy))]);
}

const [requestBytes, requests] = bytesOf(() =>
  Array.from({ length: count }, (_, index) => requestFromHref(urlOf(index + 1))),
);
rows.push(['bytes per request, its URL included', requestBytes / count]);

/** One worker is kept busy for ever by the first of all requests; the others wait. */
const found = { type: 'found', request: undefined, admitted: requests, duplicates: 0 };
const [waitingBytes, waiting] = bytesOf(() =>
  queued(1)(({ url }) => (url === urlOf(0) ? concat(of(found), NEVER) : NEVER))(
    of(requestFromHref(urlOf(0))),
  ).subscribe(),
);
waiting.unsubscribe();
rows.push(['bytes per waiting request on top of that', waitingBytes / count]);

for (const makeSet of [exactSet, fingerprintSet]) {
  const [bytes, seen] = bytesOf(() => {
    const set = makeSet();
    for (let index = 0; index < count; index++) set.add(urlOf(index));
    return set;
  });
  rows.push([`bytes per seen URL, \`${makeSet.name}\``, bytes / seen.size]);
}

console.log(`${count} requests\n\n| what | value |\n| --- | --: |`);
for (const [what, value] of rows) console.log(`| ${what} | ${value.toFixed(1)} |`);
