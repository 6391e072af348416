import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Observable } from 'rxjs';

/** A shop of books that nobody has written: five shelves of four books each. */
const SHELVES: readonly (readonly [shelf: string, books: readonly string[]])[] = [
  ['Sea stories', ['The Patient Harbour', 'Nine Bells', 'Salt and Lanterns', 'A Map of Fog']],
  ['Gardens', ['Moss for Beginners', 'The Late Pear', 'Hedges', 'Rain, Measured']],
  ['Riddles', ['The Empty Clock', 'Forty Locks', 'Whose Umbrella?', 'The Left Glove']],
  ['Kitchens', ['Soup Weather', 'Bread at Midnight', 'The Quiet Onion', 'Plum Ledger']],
  ['Journeys', ['Slow Trains North', 'The Second Bridge', 'Dust Roads', 'Ferry Tables']],
];
const SLOW_MS = 600;
// The smallest valid PNG: one transparent pixel.
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** What a path of the demo site answers. */
type Answer =
  | { readonly kind: 'html'; readonly html: string; readonly delayMs?: number }
  | { readonly kind: 'image' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'redirect'; readonly to: string };

/**
 * Serves a small made-up site on 127.0.0.1, at a port that the system chooses: a shop with some
 * thirty pages, images, a redirect, a link that leads nowhere and a page that is slow.
 *
 * Cold: subscribing starts the server and emits the address of its first page; unsubscribing
 * stops it.
 *
 * @example
 * ```ts
 * demoSite().subscribe((url) => console.error(`serving at ${url}`));
 * ```
 */
export function demoSite(): Observable<string> {
  return new Observable((subscriber) => {
    const server = serve(answers());
    server.on('error', (error) => subscriber.error(error));
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      subscriber.next(`http://127.0.0.1:${port}/`);
    });
    return () => {
      server.close();
      server.closeAllConnections();
    };
  });
}

function serve(site: ReadonlyMap<string, Answer>): Server {
  return createServer((request, response) => {
    const answer = site.get(request.url ?? '/');
    switch (answer?.kind) {
      case undefined:
        response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' });
        response.end(page('Not found', '<p>No such page. <a href="/">Back to the shop</a></p>'));
        return;
      case 'redirect':
        response.writeHead(301, { location: answer.to }).end();
        return;
      case 'image':
        response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL);
        return;
      case 'text':
        response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(answer.text);
        return;
      case 'html':
        setTimeout(() => {
          response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
          response.end(answer.html);
        }, answer.delayMs ?? 0);
    }
  });
}

function answers(): ReadonlyMap<string, Answer> {
  const site = new Map<string, Answer>();
  const html = (path: string, title: string, body: string, delayMs = 0): void => {
    site.set(path, { kind: 'html', html: page(title, body), delayMs });
  };
  const shelves = SHELVES.map(([name, books]) => ({
    name,
    path: `/shelves/${slug(name)}`,
    books: books.map((title) => ({ title, path: `/books/${slug(title)}` })),
  }));

  html(
    '/',
    'Paper Lantern Books',
    `<p>Books that nobody has written, on ${shelves.length} shelves.</p>` +
      list(shelves.map(({ name, path }) => link(path, name))) +
      list([link('/about', 'About us'), link('/news', 'News'), link('/catalogue', 'Catalogue')]),
  );
  html('/about', 'About us', `<p>Open on days with a letter in them. ${link('/news', 'News')}</p>`);
  html(
    '/news',
    'News',
    `<p>We have moved the ${link('/reading-room', 'reading room')}. The ` +
      `${link('/books/never-written', 'book of the month')} is out of print.</p>` +
      `<p>${link('https://elsewhere.example/', 'Friends of the shop')}</p>`,
  );
  html(
    '/catalogue',
    'Catalogue',
    list(shelves.flatMap(({ books }) => books.map(({ path, title }) => link(path, title)))),
    SLOW_MS,
  );
  site.set('/reading-room', { kind: 'redirect', to: '/rooms/reading' });
  html('/rooms/reading', 'Reading room', `<p>Four chairs, one lamp. ${link('/', 'Shop')}</p>`);
  site.set('/terms.txt', { kind: 'text', text: 'Books are lent for ever.\n' });

  for (const shelf of shelves) {
    html(
      shelf.path,
      shelf.name,
      list(shelf.books.map(({ path, title }) => link(path, title))) + link('/', 'All shelves'),
    );
    shelf.books.forEach((book, index) => {
      const next = shelf.books[(index + 1) % shelf.books.length] ?? book;
      const cover = `/covers/${slug(book.title)}.png`;
      site.set(cover, { kind: 'image' });
      html(
        book.path,
        book.title,
        `<img src="${cover}" alt="Cover"><p class="price">${7 + index}.50</p>` +
          list([
            link(shelf.path, shelf.name),
            link(next.path, next.title),
            link('/terms.txt', 'Terms'),
          ]),
      );
    });
  }
  return site;
}

function page(title: string, body: string): string {
  return (
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>\n` +
    `<body><h1>${title}</h1>\n${body}\n</body></html>\n`
  );
}

function list(entries: readonly string[]): string {
  return `<ul>${entries.map((entry) => `<li>${entry}</li>`).join('')}</ul>\n`;
}

function link(path: string, text: string): string {
  return `<a href="${path}">${text}</a>`;
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')
    .replace(/-$/, '');
}
