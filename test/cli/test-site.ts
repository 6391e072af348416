import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A small site on loopback, with a log. */
export interface TestSite {
  readonly origin: string;
  readonly port: number;
  /** Paths in the order in which they were asked for. */
  readonly log: string[];
  readonly headers: IncomingMessage['headers'][];
  readonly close: () => Promise<void>;
}

/** What a path answers: links of a page, or anything else that it does by itself. */
export type TestPages = (
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
) => readonly string[] | undefined;

/**
 * Serves pages with the links that `pages` gives; it answers by itself where it gives none.
 * robots.txt is not part of the log.
 */
export async function testSite(pages: TestPages, robots?: string): Promise<TestSite> {
  const log: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path === '/robots.txt') {
      if (robots === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'text/plain' }).end(robots);
      return;
    }
    log.push(path);
    headers.push(request.headers);
    const links = pages(path, request, response);
    if (links !== undefined) sendPage(response, path, links);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    log,
    headers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers with a page whose title is `title`. */
export function sendPage(
  response: ServerResponse,
  title: string,
  links: readonly string[] = [],
): void {
  const anchors = links.map((link) => `<a href="${link}">${link}</a>`).join('\n');
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><title>${title}</title>\n${anchors}`);
}
