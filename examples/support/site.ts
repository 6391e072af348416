import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A little bookshop on loopback, so that the examples run without a network. */
export interface Bookshop {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string;
  /** Paths that were asked for, in order, robots.txt left out. */
  readonly asked: readonly string[];
  /** How many of them the client gave up before they were answered. */
  readonly aborted: number;
}

const BOOKS = ['Dune', 'Emma', 'Kim', 'Ulysses', 'Momo', 'Ivanhoe', 'Candide', 'Heidi', 'Carmen'];
const BOOKS_PER_PAGE = 3;

/** Opens the shop, hands it to `use`, and closes it when that has ended. */
export async function withBookshop<R>(use: (shop: Bookshop) => Promise<R>): Promise<R> {
  const asked: string[] = [];
  let aborted = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://shop');
    const body = pageAt(url);
    if (url.pathname !== '/robots.txt') asked.push(url.pathname + url.search);
    response.on('close', () => {
      if (!response.writableFinished) aborted += 1;
    });
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' });
    if (url.pathname === '/search') setTimeout(() => response.end(body), 100);
    else response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await use({
      url: `http://127.0.0.1:${port}/`,
      asked,
      get aborted() {
        return aborted;
      },
    });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function pageAt({ pathname, searchParams }: URL): string | undefined {
  const [, folder, name] = pathname.split('/');
  if (pathname === '/') return list(1);
  if (folder === 'page') return list(Number(name));
  if (folder === 'search') return links(BOOKS.filter(contains(searchParams.get('q') ?? '')));
  const book = BOOKS.find((title) => title.toLowerCase() === name);
  if (folder === 'book' && book)
    return `<title>${book}</title><h1>${book}</h1><a href="/">Home</a>`;
  return undefined;
}

function list(page: number): string {
  const end = page * BOOKS_PER_PAGE;
  const next = end < BOOKS.length ? `<a class="next" href="/page/${page + 1}">More</a>` : '';
  return links(BOOKS.slice(end - BOOKS_PER_PAGE, end)) + next;
}

function links(books: readonly string[]): string {
  return books
    .map((book) => `<a class="book" href="/book/${book.toLowerCase()}">${book}</a>`)
    .join('');
}

function contains(text: string): (book: string) => boolean {
  return (book) => book.toLowerCase().includes(text.toLowerCase());
}
