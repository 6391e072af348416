import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';

/** A made-up site on loopback. Nobody in it exists. */
export interface MadeUpSite {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string;
  /** Paths that were asked for, in order, robots.txt left out. */
  readonly asked: readonly string[];
}

export interface SiteOptions {
  /** How long each answer takes, ms. Default 0. */
  readonly latencyMs?: number;
  /** Whether the connection breaks when a URL that ends with 7 is asked for first. Default false. */
  readonly breaks?: boolean;
}

/** Opens a site, hands it to `use`, and closes it when that has ended. */
export type OpenSite = <R>(
  use: (site: MadeUpSite) => Promise<R>,
  options?: SiteOptions,
) => Promise<R>;

/** Runs an example on its site and prints its result, if its file was started directly. */
export async function mainOn(
  open: OpenSite,
  fileUrl: string,
  example: (site: MadeUpSite) => Promise<unknown>,
): Promise<void> {
  const started = process.argv[1];
  if (started === undefined || pathToFileURL(started).href !== fileUrl) return;
  console.log(await open(example));
}

/**
 * People of 470 cities: an index, a page for each city with a person on it, a second page with
 * another for every tenth city, and a page for each person. 1,035 pages, 517 people.
 */
export const withPeople: OpenSite = (use, options) =>
  serve(
    ({ pathname }) => {
      const [, folder, name = '', second] = pathname.split('/');
      const no = Number(name);
      if (folder === 'cities') return list('city', 1, 470, (each) => `/city/${each}`);
      if (folder === 'city' && second === '2') return `<h1>City ${no}</h1>${user(no + 1_000)}`;
      if (folder === 'city') {
        const next = no % 10 === 0 ? `<a class="next" href="/city/${no}/2">more</a>` : '';
        return `<h1>City ${no}</h1>${user(no)}${next}`;
      }
      if (folder !== 'user') return undefined;
      return `<h1>Person ${no}</h1><b class="age">${20 + (no % 50)}</b><b class="income">${no}00</b>`;
    },
    use,
    options,
  );

/**
 * A gallery: 6 albums of 4 photos each, by 3 photographers. 34 pages and 24 images.
 */
export const withGallery: OpenSite = (use, options) =>
  serve(
    ({ pathname }) => {
      const [, folder, name = ''] = pathname.split('/');
      const no = Number.parseInt(name, 10);
      switch (folder) {
        case '':
          return list('album', 1, 6, (each) => `/album/${each}`);
        case 'album':
          return `<h1>Album ${no}</h1>${list('photo', no * 4 - 3, no * 4, (each) => `/photo/${each}`)}`;
        case 'photo':
          return `<h1>Photo ${no}</h1><img src="/img/${no}.png"><a class="by" href="/by/${no % 3}">by</a>`;
        case 'by':
          return `<h1>Photographer ${no}</h1>`;
        case 'img':
          return pngOf(no);
        default:
          return undefined;
      }
    },
    use,
    options,
  );

/**
 * A job board of 3 cities with 2 districts each. The first district of a city has 2 areas, the
 * second has its jobs itself. Each of these 9 lists has 2 pages with 3 and 2 jobs, and each job a
 * page. 70 pages, 45 jobs.
 */
export const withJobBoard: OpenSite = (use, options) =>
  serve(
    ({ pathname, searchParams }) => {
      const [, city = '', district, area, job] = pathname.split('/');
      if (city === '') return list('city', 1, 3, (each) => `/city-${each}`);
      if (district === undefined)
        return list('district', 1, 2, (each) => `/${city}/district-${each}`);
      if (job !== undefined) {
        return `<h1> ${job.replace('-', '\n ')} </h1><p class="place">${city},\n\t ${district}</p>`;
      }
      if (area === undefined && district === 'district-1') {
        return list('area', 1, 2, (each) => `/${city}/${district}/area-${each}`);
      }
      const place = `/${city}/${district}/${area ?? 'all'}`;
      if (searchParams.get('page') === '2')
        return list('job', 4, 5, (each) => `${place}/job-${each}`);
      const next = `<a class="next" href="?page=2">next</a>`;
      return list('job', 1, 3, (each) => `${place}/job-${each}`) + next;
    },
    use,
    options,
  );

/**
 * A magazine of 9 articles, each with a page of comments that only a member finds: whoever has
 * the cookie `session=member`. Articles say who reads them. 19 pages.
 */
export const withMagazine: OpenSite = (use, options) =>
  serve(
    ({ pathname }, cookie) => {
      const [, folder, no = ''] = pathname.split('/');
      const reader = cookie.includes('session=member') ? 'member' : 'guest';
      if (folder === '') return list('article', 1, 9, (each) => `/article/${each}`);
      if (folder === 'article') {
        return `<h1>Article ${no}</h1><i>${reader}</i><a class="comments" href="/comments/${no}">more</a>`;
      }
      if (folder !== 'comments' || reader === 'guest') return undefined;
      return `<h1>Comments on ${no}</h1><i>${reader}</i>`;
    },
    use,
    options,
  );

async function serve<R>(
  pageAt: (url: URL, cookie: string) => string | Uint8Array | undefined,
  use: (site: MadeUpSite) => Promise<R>,
  { latencyMs = 0, breaks = false }: SiteOptions = {},
): Promise<R> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { url = '/' } = request;
    if (url !== '/robots.txt') asked.push(url);
    if (breaks && url.endsWith('7') && asked.indexOf(url) === asked.length - 1) {
      request.socket.destroy();
      return;
    }
    const body = pageAt(new URL(url, 'http://site'), request.headers.cookie ?? '');
    const type = typeof body === 'string' ? 'text/html' : 'image/png';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type });
    if (latencyMs === 0) response.end(body);
    else setTimeout(() => response.end(body), latencyMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await use({ url: `http://127.0.0.1:${port}/`, asked });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

function list(name: string, from: number, to: number, href: (each: number) => string): string {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return numbers.map((each) => `<a class="${name}" href="${href(each)}">${each}</a>`).join('');
}

function user(no: number): string {
  return `<a class="user" href="/user/${no}">someone</a>`;
}

/** Enough of an image to be taken for one, of a length of its own. */
function pngOf(no: number): Uint8Array {
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(no)]);
}
