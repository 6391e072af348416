import { createServer, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Forward proxies on loopback. */
export interface Proxies {
  /** `http://127.0.0.1:PORT` of each. */
  readonly urls: readonly string[];
  /** How many requests each has passed on. */
  readonly passedOn: readonly number[];
}

/**
 * Opens proxies for `http:` sites, hands them to `use`, and closes them when that has ended.
 *
 * @param lives - one for each: how many requests it passes on before it is gone for good
 */
export async function withProxies<R>(
  lives: readonly number[],
  use: (proxies: Proxies) => Promise<R>,
): Promise<R> {
  const passedOn = lives.map(() => 0);
  const servers = await Promise.all(
    lives.map((life, index) =>
      openProxy((proxy) => {
        const passed = (passedOn[index] ?? 0) + 1;
        passedOn[index] = passed;
        if (passed === life) proxy.close(); // answers what it has begun, and nothing else
      }),
    ),
  );
  const urls = servers.map((proxy) => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  try {
    return await use({ urls, passedOn });
  } finally {
    for (const proxy of servers) {
      proxy.closeAllConnections();
      proxy.close();
    }
  }
}

async function openProxy(onRequest: (proxy: Server) => void): Promise<Server> {
  const proxy = createServer((request, response) => {
    onRequest(proxy);
    // A client asks a proxy for whole URLs (RFC 9112 §3.2.2).
    const { url = '', method, headers } = request;
    const onward = ask(url, { method, headers }, (answer) => {
      const connection = proxy.listening ? 'keep-alive' : 'close';
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection });
      answer.pipe(response);
    });
    onward.on('error', () => response.writeHead(502).end());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}
