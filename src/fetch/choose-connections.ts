import { CrawlError, type CrawlRequest } from '../core/index.js';
import { messageOf } from '../core/message-of.js';
import { type Connections, ownConnections, type PoolOptions } from './connections.js';
import { openDirectly } from './open-directly.js';
import { parseProxy } from './parse-proxy.js';
import { proxyConnections } from './proxy-connections.js';
import { proxyFromEnv } from './proxy-from-env.js';

/**
 * The proxy of each request: one URL for all, `'env'` for what {@link proxyFromEnv} says, or
 * a function that gives a URL, or `undefined` for none. It is asked anew for each redirect.
 */
export type ProxyOption = string | ((request: CrawlRequest) => string | undefined);

/** So many proxies are kept connected; the one that was used longest ago goes first. */
const MAX_PROXIES = 64;

/** Connections of a fetcher, by request. */
export interface ConnectionChoice {
  for(request: CrawlRequest): Connections;
  close(): void;
}

/**
 * Chooses connections: straight ones, or those of the proxy that a request is to use. Each proxy
 * has connections of its own, so that nothing that was meant for one ever goes to another.
 *
 * @throws TypeError if the one proxy, or that of the environment, has no URL that can be used
 */
export function chooseConnections(
  options: PoolOptions,
  proxy: ProxyOption | undefined,
): ConnectionChoice {
  const direct = ownConnections(options, openDirectly(options));
  const proxies = new Map<string, Connections>();
  const choose = chooser(proxy);

  function through(url: string): Connections {
    const known = proxies.get(url);
    const connections = known ?? proxyConnections(options, parseProxy('proxy', url));
    // Put at the end: the first one is the one that was used longest ago.
    proxies.delete(url);
    proxies.set(url, connections);
    if (proxies.size > MAX_PROXIES) {
      for (const [oldest, unused] of proxies) {
        proxies.delete(oldest);
        unused.close();
        break;
      }
    }
    return connections;
  }

  return {
    for(request) {
      if (choose === undefined) return direct;
      const url = choose(request);
      if (url === undefined) return direct;
      try {
        return through(url);
      } catch (error) {
        const why = messageOf(error);
        throw new CrawlError('invalid-request', `the request cannot be sent (${why})`);
      }
    },
    close() {
      direct.close();
      for (const connections of proxies.values()) connections.close();
      proxies.clear();
    },
  };
}

function chooser(
  proxy: ProxyOption | undefined,
): ((request: CrawlRequest) => string | undefined) | undefined {
  if (proxy === undefined || typeof proxy === 'function') return proxy;
  if (proxy === 'env') return proxyFromEnv();
  parseProxy('undiciFetcher: proxy', proxy);
  return () => proxy;
}
