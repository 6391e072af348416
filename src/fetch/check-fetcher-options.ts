import {
  checkCount,
  checkNames,
  checkObject,
  checkPositive,
  checkType,
  show,
} from './check-options.js';
import { headerProblem } from './request-headers.js';
import type { UndiciFetcherOptions } from './undici-fetcher.js';

const OWNER = 'undiciFetcher';

const KNOWN: readonly (keyof UndiciFetcherOptions)[] = [
  'userAgent',
  'headers',
  'timeouts',
  'minRate',
  'maxBodyBytes',
  'maxDecodeRatio',
  'maxHeaderBytes',
  'maxHeaderLines',
  'truncate',
  'wantBody',
  'dispatcher',
  'connect',
  'insecureHosts',
  'proxy',
  'http2',
  'plainCredentials',
];
const OWN_DISPATCHER_ONLY = [
  'connect',
  'insecureHosts',
  'maxHeaderBytes',
  'proxy',
  'http2',
] as const;
const TIMEOUTS = ['connect', 'headers', 'idle', 'total'] as const;

/** Refuses wrong options of `undiciFetcher` with a message that names the option. */
export function checkFetcherOptions(options: UndiciFetcherOptions): void {
  checkObject(OWNER, 'options', options);
  checkNames(OWNER, options, KNOWN);
  checkHeaders(options);
  checkLimits(options);
  checkType(OWNER, 'truncate', options.truncate, 'boolean');
  checkType(OWNER, 'plainCredentials', options.plainCredentials, 'boolean');
  checkType(OWNER, 'wantBody', options.wantBody, 'function');
  checkType(OWNER, 'http2', options.http2, 'boolean');
  checkConnections(options);
}

function checkHeaders({ userAgent, headers }: UndiciFetcherOptions): void {
  checkType(OWNER, 'userAgent', userAgent, 'string');
  if (userAgent !== undefined) {
    const problem = headerProblem('user-agent', userAgent);
    if (problem !== undefined) throw new TypeError(`${OWNER}: userAgent: ${problem}`);
    // RFC 9309 §2.2.1: robots.txt addresses a crawler by its product token.
    if (!/^[A-Za-z_-]/.test(userAgent)) {
      throw new TypeError(
        `${OWNER}: userAgent: expected a product token first, such as "mybot/1.0 (+https://my.example/bot)", got ${show(userAgent)}`,
      );
    }
  }
  checkObject(OWNER, 'headers', headers);
  for (const [name, value] of Object.entries(headers ?? {})) {
    const problem = headerProblem(name, value);
    if (problem !== undefined) throw new TypeError(`${OWNER}: headers: ${problem}`);
  }
}

function checkLimits({ timeouts, minRate, ...options }: UndiciFetcherOptions): void {
  checkObject(OWNER, 'timeouts', timeouts);
  if (timeouts !== undefined) {
    checkNames(`${OWNER}: timeouts`, timeouts, TIMEOUTS);
    for (const name of TIMEOUTS) checkPositive(OWNER, `timeouts.${name}`, timeouts[name], 'ms');
  }
  checkObject(OWNER, 'minRate', minRate);
  if (minRate !== undefined) {
    checkNames(`${OWNER}: minRate`, minRate, ['bytesPerSecond', 'windowMs']);
    if (!('bytesPerSecond' in minRate)) {
      throw new TypeError(`${OWNER}: minRate: expected bytesPerSecond`);
    }
    checkPositive(OWNER, 'minRate.bytesPerSecond', minRate.bytesPerSecond, 'bytes');
    checkPositive(OWNER, 'minRate.windowMs', minRate.windowMs, 'ms');
  }
  checkPositive(OWNER, 'maxBodyBytes', options.maxBodyBytes, 'bytes');
  checkPositive(OWNER, 'maxDecodeRatio', options.maxDecodeRatio, 'times the received bytes');
  checkCount(OWNER, 'maxHeaderBytes', options.maxHeaderBytes, 'bytes');
  checkCount(OWNER, 'maxHeaderLines', options.maxHeaderLines, 'lines');
}

function checkConnections(options: UndiciFetcherOptions): void {
  const { dispatcher, connect, insecureHosts } = options;
  if (dispatcher !== undefined) {
    if (typeof dispatcher !== 'function' && typeof dispatcher.dispatch !== 'function') {
      throw new TypeError(
        `${OWNER}: dispatcher: expected an undici Dispatcher or a function that returns one, got ${show(dispatcher)}`,
      );
    }
    for (const name of OWN_DISPATCHER_ONLY) {
      if (options[name] !== undefined) {
        throw new TypeError(
          `${OWNER}: ${name}: has no effect together with dispatcher; set it on that dispatcher`,
        );
      }
    }
  }
  checkObject(OWNER, 'connect', connect);
  checkType(OWNER, 'connect.lookup', connect?.lookup, 'function');
  if (insecureHosts === undefined) return;
  const given: unknown = insecureHosts;
  if (!Array.isArray(given)) {
    throw new TypeError(
      `${OWNER}: insecureHosts: expected an array of host names, got ${show(given)}`,
    );
  }
  for (const host of insecureHosts) {
    const text: unknown = host;
    if (typeof text !== 'string' || !isHostName(text)) {
      throw new TypeError(
        `${OWNER}: insecureHosts: expected a host name such as "intranet.example", got ${show(text)}`,
      );
    }
  }
}

function isHostName(text: string): boolean {
  return (
    URL.canParse(`https://${text}/`) && new URL(`https://${text}/`).hostname === text.toLowerCase()
  );
}
