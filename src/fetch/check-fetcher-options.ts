import type { Dispatcher } from 'undici';
import {
  expectBoolean,
  expectFunction,
  expectObject,
  expectPositive,
  expectString,
  expectWidth,
  show,
} from '../core/expect.js';
import { anything, expectOptions, listOf } from '../core/expect-options.js';
import { tryParseUrl } from '../url/index.js';
import type { ConnectExtras } from './connections.js';
import type { MinRate } from './deadline.js';
import { headerProblem, hostProblem } from './request-headers.js';
import type { FetchTimeouts, UndiciFetcherOptions } from './undici-fetcher.js';

const OWNER = 'undiciFetcher';

const OWN_DISPATCHER_ONLY = [
  'connect',
  'insecureHosts',
  'maxHeaderBytes',
  'proxy',
  'http2',
] as const;

/** Refuses wrong options of `undiciFetcher` with a message that names the option. */
export function checkFetcherOptions(options: UndiciFetcherOptions): void {
  expectOptions(OWNER, options, {
    userAgent: expectUserAgent,
    headers: expectHeaders,
    timeouts: (name, timeouts) =>
      expectOptions(name, timeouts as FetchTimeouts, {
        connect: expectPositive,
        headers: expectPositive,
        idle: expectPositive,
        total: expectPositive,
      }),
    minRate: expectMinRate,
    maxBodyBytes: expectPositive,
    maxDecodeRatio: expectPositive,
    maxHeaderBytes: expectCount,
    maxHeaderLines: expectCount,
    truncate: expectBoolean,
    wantBody: expectFunction,
    dispatcher: expectDispatcher,
    connect: (name, connect) => {
      expectObject(name, connect);
      const { lookup } = connect as ConnectExtras;
      if (lookup !== undefined) expectFunction(`${name}: lookup`, lookup);
    },
    insecureHosts: listOf(expectHostName),
    // Read, and so checked, where connections are chosen.
    proxy: anything,
    http2: expectBoolean,
    plainCredentials: expectBoolean,
  });
  if (options.dispatcher === undefined) return;
  for (const name of OWN_DISPATCHER_ONLY) {
    if (options[name] === undefined) continue;
    throw new TypeError(
      `${OWNER}: ${name}: has no effect together with dispatcher; set it on that dispatcher`,
    );
  }
}

function expectUserAgent(name: string, userAgent: unknown): void {
  expectString(name, userAgent);
  const problem = headerProblem('user-agent', userAgent);
  if (problem !== undefined) throw new TypeError(`${name}: ${problem}`);
  // RFC 9309 §2.2.1: robots.txt addresses a crawler by its product token.
  if (/^[A-Za-z_-]/.test(userAgent as string)) return;
  throw new TypeError(
    `${name}: expected a product token first, such as "mybot/1.0 (+https://my.example/bot)", got ${show(userAgent)}`,
  );
}

function expectHeaders(name: string, headers: unknown): void {
  expectObject(name, headers);
  for (const [field, value] of Object.entries(headers as Readonly<Record<string, unknown>>)) {
    const problem = headerProblem(field, value) ?? hostProblem(field);
    if (problem !== undefined) throw new TypeError(`${name}: ${problem}`);
  }
}

function expectMinRate(name: string, minRate: unknown): void {
  expectOptions(name, minRate as MinRate, {
    bytesPerSecond: expectPositive,
    windowMs: expectPositive,
  });
  expectPositive(`${name}: bytesPerSecond`, (minRate as MinRate).bytesPerSecond);
}

/** For a limit of another library, which knows no `Infinity`. */
function expectCount(name: string, value: unknown): void {
  expectWidth(name, value, 1);
}

function expectDispatcher(name: string, dispatcher: unknown): void {
  if (typeof dispatcher === 'function') return;
  if (typeof (dispatcher as Partial<Dispatcher> | null)?.dispatch === 'function') return;
  throw new TypeError(
    `${name}: expected an undici Dispatcher or a function that returns one, got ${show(dispatcher)}`,
  );
}

function expectHostName(name: string, host: unknown): void {
  if (typeof host === 'string' && isHostName(host)) return;
  throw new TypeError(
    `${name}: expected a host name such as "intranet.example", got ${show(host)}`,
  );
}

function isHostName(text: string): boolean {
  return tryParseUrl(`https://${text}/`)?.hostname === text.toLowerCase();
}
