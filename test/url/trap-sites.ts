/** A generated site: pure functions from a URL to what its page links to and says. */
export interface TrapSite {
  readonly id: string;
  /** Where a crawl begins. */
  readonly seed: string;
  /** Links of a page as they stand in its HTML, relative or absolute. */
  readonly links: (url: URL) => string[];
  /** What a page says; its own URL by default. */
  readonly text?: (url: URL) => string;
}

function range(count: number, from = 1): number[] {
  return Array.from({ length: count }, (_, index) => index + from);
}

/** A small generator of numbers that looks random and is the same in each run. */
function scramble(seed: number): number {
  return Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) >>> 0;
}

/** A repeatable number for a text. */
function numberOf(text: string): number {
  let value = 7;
  for (const char of text) value = scramble(value * 31 + char.charCodeAt(0));
  return value;
}

/** Fifty pages that a crawl must find, in a tree of ten sections of four pages under `/real/`. */
export const REAL_PAGES: readonly string[] = range(10).flatMap((section) => [
  `/real/${section}/`,
  ...range(4).map((page) => `/real/${section}/page-${page}.html`),
]);

export const real: TrapSite = {
  id: 'real',
  seed: 'http://real.test/real/1/',
  links: () => [...REAL_PAGES],
};

/** A number of a query parameter, or a default. */
function param(url: URL, name: string, fallback: number): number {
  return Number(url.searchParams.get(name) ?? fallback);
}

export const TRAPS: readonly TrapSite[] = [
  { id: 'path-growth', seed: 'http://h.test/growth/', links: () => ['a/'] },
  {
    id: 'path-growth-two',
    seed: 'http://h.test/growth2/',
    links: () => ['a/', 'b/', 'c/'],
  },
  {
    id: 'path-cycle',
    seed: 'http://h.test/cycle/',
    links: (url) => [url.pathname.endsWith('/a/') ? 'b/' : 'a/'],
  },
  {
    id: 'soft-slash',
    seed: 'http://h.test/x/index.php',
    links: (url) => [`${url.pathname}/x/index.php`],
  },
  { id: 'double-slash', seed: 'http://h.test/slash/', links: (url) => [`${url.pathname}/`] },
  {
    id: 'dots',
    seed: 'http://h.test/p/',
    links: () => [
      '.',
      './',
      '../p/',
      '/p/./',
      '/p/../p/',
      '/p/%2e/',
      '/p/x/%2E%2e/',
      '/./p/',
      '/p/.b/../',
    ],
  },
  {
    id: 'session-path',
    seed: 'http://h.test/shop/1',
    links: (url) =>
      range(50).map(
        (page) => `/shop/${page};jsessionid=${numberOf(url.href).toString(16).padStart(16, '0')}`,
      ),
  },
  {
    id: 'session-query',
    seed: 'http://h.test/forum/1',
    links: (url) => range(50).map((page) => `/forum/${page}?PHPSESSID=${numberOf(url.href)}abcdef`),
  },
  {
    id: 'tracking',
    seed: 'http://h.test/news/1',
    links: (url) =>
      range(50).flatMap((page) => {
        const at = numberOf(url.href + String(page));
        return [
          `/news/${page}?utm_source=s${at % 7}&utm_medium=m${at % 3}`,
          `/news/${page}?gclid=${at % 50}`,
          `/news/${page}?fbclid=${at % 50}&mc_cid=${at % 11}`,
        ];
      }),
  },
  {
    id: 'facets',
    seed: 'http://h.test/list?color=1&size=1&brand=1&sort=1&page=1',
    links: (url) => {
      const [color, size, brand, sort, page] = ['color', 'size', 'brand', 'sort', 'page'].map(
        (name) => param(url, name, 1),
      ) as [number, number, number, number, number];
      return [
        `/list?color=${(color % 10) + 1}&size=${size}&brand=${brand}&sort=${sort}&page=${page}`,
        `/list?size=${(size % 10) + 1}&color=${color}&brand=${brand}&page=${page}&sort=${sort}`,
        `/list?brand=${(brand % 10) + 1}&sort=${sort}&color=${color}&size=${size}&page=${page}`,
        `/list?sort=${(sort % 4) + 1}&page=${page}&brand=${brand}&size=${size}&color=${color}`,
        `/list?page=${(page % 20) + 1}&color=${color}&sort=${sort}&size=${size}&brand=${brand}`,
      ];
    },
  },
  {
    id: 'sort',
    seed: 'http://h.test/lists/1?sort=asc',
    links: () =>
      range(100).flatMap((list) => [`/lists/${list}?sort=asc`, `/lists/${list}?sort=desc`]),
  },
  {
    id: 'pagination',
    seed: 'http://h.test/archive?page=1',
    links: (url) => [`/archive?page=${param(url, 'page', 1) + 1}`],
    text: (url) => (param(url, 'page', 1) > 30 ? 'no entries' : url.href),
  },
  {
    id: 'pagination-wide',
    seed: 'http://h.test/wide?page=1',
    links: (url) => range(10).map((ahead) => `/wide?page=${param(url, 'page', 1) + ahead}`),
    text: (url) => (param(url, 'page', 1) > 30 ? 'no entries' : url.href),
  },
  {
    id: 'calendar-query',
    seed: 'http://h.test/calendar?year=2024&month=5',
    links: (url) => {
      const months = param(url, 'year', 2024) * 12 + param(url, 'month', 1) - 1;
      return [-12, -1, 1, 12].map(
        (step) =>
          `/calendar?year=${Math.floor((months + step) / 12)}&month=${((months + step) % 12) + 1}`,
      );
    },
  },
  {
    id: 'calendar-path',
    seed: 'http://h.test/events/2024-05/',
    links: (url) => {
      const [year = 0, month = 1] = (url.pathname.split('/')[2] ?? '').split('-').map(Number);
      const months = year * 12 + month - 1;
      return [-1, 1, 120].map((step) => {
        const next = String(((months + step) % 12) + 1).padStart(2, '0');
        return `/events/${Math.floor((months + step) / 12)}-${next}/`;
      });
    },
  },
  {
    id: 'wildcard-dns',
    seed: 'http://h.test/dns',
    links: (url) => [`http://x${numberOf(url.hostname)}.h.test/dns`],
  },
  {
    id: 'scheme',
    seed: 'http://h.test/both/1',
    links: () => range(50).flatMap((n) => [`http://h.test/both/${n}`, `https://h.test/both/${n}`]),
  },
  {
    id: 'canonical-far',
    seed: 'http://h.test/far/1',
    links: (url) =>
      range(60).map((step) => `/far/${(Number(url.pathname.slice(5)) + step) % 1000}`),
  },
  {
    id: 'hash-routes',
    seed: 'http://h.test/app',
    links: () => range(50).flatMap((n) => [`#!/${n}`, `#/${n}`]),
  },
  {
    id: 'data-uri',
    seed: 'http://h.test/data',
    links: () => [`data:text/html,${'x'.repeat(100_000)}`],
  },
  {
    id: 'long-url',
    seed: 'http://h.test/long?x=',
    links: (url) => [`${url.href}${'y'.repeat(100)}`],
  },
  {
    id: 'etag-change',
    seed: 'http://h.test/clock',
    links: () => ['/clock', '/clock#now'],
    text: () => String(performance.now()),
  },
  {
    id: 'random-links',
    seed: 'http://h.test/random/1',
    links: (url) => range(20).map((n) => `/random/${numberOf(url.href + String(n))}`),
    text: () => 'the same text',
  },
];

/** The trap that a URL belongs to: by its first path segment. */
export function siteAt(url: URL): TrapSite | undefined {
  const first = url.pathname.split(/[/;]/)[1];
  return TRAPS.find(({ seed }) => new URL(seed).pathname.split(/[/;]/)[1] === first);
}
