import { describe, expect, it } from 'vitest';
import { isCrawlError, request, type FetchedResponse } from '../../src/core/index.js';
import { canonicalUrl, requestKey } from '../../src/url/index.js';
import {
  createPage,
  followableKinds,
  loadPage,
  type Page,
  type PageOptions,
} from '../../src/page/index.js';
import { randomHtml, randomNumbers } from './random-html.js';

interface Made {
  readonly url?: string;
  readonly headers?: FetchedResponse['headers'];
  readonly options?: PageOptions;
  readonly depth?: number;
}

function pageOf(body: string | Uint8Array, made: Made = {}): Page {
  const url = made.url ?? 'https://a.example/dir/page';
  return createPage(
    {
      url,
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', ...made.headers },
      body: typeof body === 'string' ? Buffer.from(body) : body,
      redirects: [],
      wireBytes: body.length,
    },
    request(url, { depth: made.depth ?? 0 }),
    made.options,
  );
}

const urls = (requests: readonly { readonly url: string }[]) => requests.map(({ url }) => url);

describe('links of pages in older encodings', () => {
  it.each([
    ['windows-1251', 'ff', '%FF'],
    ['shift_jis', '93fa', '%93%FA'],
    ['gbk', 'c4e3', '%C4%E3'],
    ['big5', 'a741', '%A7A'],
    ['euc-kr', 'b0a1', '%B0%A1'],
    ['iso-8859-2', 'e9', '%E9'],
    ['utf-8', 'e282ac', '%E2%82%AC'],
  ])('keep the bytes of their query, also in keys: %s', (charset, hex, written) => {
    const query = Buffer.from(hex, 'hex').toString('latin1');
    const body = Buffer.from(`<a href="/x?q=${query}&a=1">`, 'latin1');
    const page = pageOf(body, { headers: { 'content-type': `text/html; charset=${charset}` } });
    const url = `https://a.example/x?q=${written}&a=1`;
    expect(urls(page.follow())).toEqual([url]);
    expect(canonicalUrl(url)).toBe(url);
    // The same page as by a link that is written out.
    const [link, plain] = [page, pageOf(`<a href="/x?q=${written}&a=1">`)].flatMap((one) =>
      one.follow().map((request) => requestKey(request)),
    );
    expect(link).toBe(plain);
    expect(link).toContain(written);
  });
});

describe('JSON feeds', () => {
  const headers = { 'content-type': 'application/feed+json' };
  const feed = (value: unknown) => pageOf(JSON.stringify(value), { headers });
  const version = 'https://jsonfeed.org/version/1.1';

  it('have their items and attachments as links', () => {
    const items = [
      { id: '1', url: '/1', title: ' One ', attachments: [{ url: '1.mp3' }, {}, null] },
      { id: '2', external_url: 'https://b.example/2' },
      { id: 'https://a.example/3' },
      { id: 'four' },
      7,
      { url: 5 },
      { url: 'javascript:x' },
    ];
    const page = feed({ version, items });
    expect(page.links.map(({ kind, url, text }) => `${kind} ${url} ${text}`)).toEqual([
      'entry https://a.example/1 One',
      'enclosure https://a.example/dir/1.mp3 One',
      'entry https://b.example/2 ',
      'entry https://a.example/3 ',
    ]);
    expect(urls(page.follow())).toEqual([
      'https://a.example/1',
      'https://b.example/2',
      'https://a.example/3',
    ]);
  });

  it('are only what says so', () => {
    const items = [{ url: '/1' }];
    for (const value of [{ version: 'x', items }, { version }, { version, items: 1 }, null, []]) {
      expect(feed(value).links).toEqual([]);
    }
    const other = { 'content-type': 'application/json' };
    expect(pageOf(JSON.stringify({ version, items }), { headers: other }).links).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['cut', '{"version":'],
    ['nested', '['.repeat(100_000)],
    ['too long', JSON.stringify({ version, items: [{ url: '/1', title: 'x'.repeat(2e6) }] })],
  ])('never throw: %s', (_, body) => {
    expect(pageOf(body, { headers }).links).toEqual([]);
  });
});

describe('createPage', () => {
  it('hands on what the answer says', () => {
    const page = pageOf('x', { headers: { 'content-type': 'Text/HTML;charset=latin1' } });
    expect(page).toMatchObject({
      url: 'https://a.example/dir/page',
      status: 200,
      truncated: false,
      contentType: 'text/html',
      kind: 'html',
      encoding: 'windows-1252',
      text: 'x',
    });
    expect(page.request.url).toBe(page.url);
  });

  it('works out each part once', () => {
    const page = pageOf('<title>T</title><a href=x>1</a>');
    expect(page.links).toBe(page.links);
    expect(page.text).toBe(page.text);
    expect(page.$).toBe(page.$);
    expect(page.meta).toBe(page.meta);
  });

  it('reads nothing of the body before it is asked', () => {
    const untouched = new Proxy(new Uint8Array(8), {
      get(_target, name) {
        throw new Error(`read ${String(name)}`);
      },
    });
    const page = createPage(
      {
        url: 'https://a.example/',
        status: 200,
        headers: {},
        body: untouched,
        redirects: [],
        wireBytes: 8,
      },
      request('https://a.example/'),
    );
    expect(page.matches('/')).toBe(true);
    expect(() => page.text).toThrow(/read/);
  });

  it('finds the title, and only a real one', () => {
    const html =
      '<!-- <title>no</title> --><script>"<title>no</title>"</script><svg><title>no</title></svg>';
    expect(pageOf(`${html}<title> A &amp;\n B </title><title>C</title>`).title).toBe('A & B');
    expect(pageOf(html).title).toBeUndefined();
    expect(pageOf('<title>a\0b&eta=c').title).toBe('a\ufffdb&eta=c');
  });

  it('reads JSON, and says what is wrong with what is none', () => {
    const json = { 'content-type': 'application/json' };
    expect(pageOf('{"a":[1]}', { headers: json }).json()).toEqual({ a: [1] });
    expect(() => pageOf('{', { headers: json }).json()).toThrow(/is no JSON/);
    try {
      pageOf('{', { headers: json }).json();
    } catch (error) {
      expect(isCrawlError(error) && error.code).toBe('parse-failed');
    }
  });
});

describe('kinds of pages', () => {
  it('takes no links from what is not markup', () => {
    const html = '<a href=/x>1</a>';
    for (const type of ['application/json', 'text/plain', 'text/css']) {
      const page = pageOf(html, { headers: { 'content-type': type } });
      expect(page.links).toEqual([]);
      expect(page.follow()).toEqual([]);
      expect(page.$('a').length).toBe(0);
      expect(page.title).toBeUndefined();
    }
  });

  it('takes no links from binary data that is called HTML', () => {
    const png = Buffer.from('\x89PNG\r\n\x1a\n<a href=/x>1</a>', 'latin1');
    const page = pageOf(png);
    expect(page.kind).toBe('image');
    expect(page.links).toEqual([]);
    expect(page.bytes).toBe(png);
  });

  it('reads HTML that has no type', () => {
    const page = pageOf('<!doctype html><a href=/x>1</a>', {
      headers: { 'content-type': undefined },
    });
    expect(page.contentType).toBeUndefined();
    expect(urls(page.links)).toEqual(['https://a.example/x']);
  });

  it('reads XHTML by the rules of XML', () => {
    const xhtml =
      '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title><script src="s.js"/></head>' +
      '<body><![CDATA[<a href="no">]]><a href="yes">1</a></body></html>';
    const page = pageOf(xhtml, { headers: { 'content-type': 'application/xhtml+xml' } });
    expect(urls(page.links)).toEqual(['https://a.example/dir/s.js', 'https://a.example/dir/yes']);
    expect(page.title).toBe('T');
    expect(page.$('a').attr('href')).toBe('yes');
  });

  it('takes the entries of a feed for its links', () => {
    const rss =
      '<?xml version="1.0"?><rss version="2.0"><channel><title>F</title><link>https://a.example/</link>' +
      '<item><title>One &amp; only</title><link>https://a.example/1</link><enclosure url="1.mp3"/></item>' +
      '<item><guid>https://a.example/2</guid></item>' +
      '<item><guid isPermaLink="false">tag:a.example,3</guid></item>' +
      '<item><guid isPermaLink="false">https://a.example/3</guid></item>' +
      '<item><guid isPermaLink="false">https://a.example/no</guid><link>/4</link></item>' +
      '<item><link><![CDATA[javascript:alert(1)]]></link></item></channel></rss>';
    const page = pageOf(rss, { headers: { 'content-type': 'application/rss+xml' } });
    expect(page.links.map(({ url, kind, text }) => [kind, url, text])).toEqual([
      ['entry', 'https://a.example/1', 'One & only'],
      ['enclosure', 'https://a.example/dir/1.mp3', 'One & only'],
      ['entry', 'https://a.example/2', ''],
      ['entry', 'https://a.example/3', ''],
      ['entry', 'https://a.example/4', ''],
    ]);
    expect(urls(page.follow())).toEqual([1, 2, 3, 4].map((n) => `https://a.example/${n}`));
    expect(page.linkScan.schemes.get('javascript:')).toBe(1);
    expect(page.title).toBe('F');

    const atom =
      '<feed xmlns="http://www.w3.org/2005/Atom"><link href="/self" rel="self"/><entry><title>E</title>' +
      '<link href="e1"/><link rel="enclosure" href="e1.ogg"/><link rel="edit" href="no"/></entry></feed>';
    expect(
      pageOf(atom, { headers: { 'content-type': 'application/atom+xml' } }).links.map(
        ({ url, kind }) => [kind, url],
      ),
    ).toEqual([
      ['entry', 'https://a.example/dir/e1'],
      ['enclosure', 'https://a.example/dir/e1.ogg'],
    ]);
  });
});

describe('$', () => {
  it('is a document of HTML', () => {
    const page = pageOf('<title>T</title><p>a<br>b<p>c &amp; d<script>"<i>"</script>');
    expect(page.$('p').length).toBe(2);
    expect(page.$('p').eq(1).text()).toBe('c & d"<i>"');
    expect(page.$.html()).toBe(
      '<title>T</title><p>a<br>b</p><p>c &amp; d<script>"<i>"</script></p>',
    );
    expect(page.$('p').eq(0).html()).toBe('a<br>b');
  });

  it('is a document of XML, with the names as they are', () => {
    const rss =
      '<?xml version="1.0"?><rss><channel><pubDate>x</pubDate><link>y</link></channel></rss>';
    const page = pageOf(rss, { headers: { 'content-type': 'application/rss+xml' } });
    expect(page.$('channel > link').text()).toBe('y');
    expect(page.$('pubDate').text()).toBe('x');
  });

  it('is what browsers make of it, if the exact parser is asked for', () => {
    const page = pageOf('<table><b>x</b><tr><td>1</table><noscript><p>y</p></noscript>', {
      options: { parser: 'parse5' },
    });
    expect(page.$('table b').length).toBe(0);
    expect(page.$('tbody td').text()).toBe('1');
    expect(page.$('noscript > p').text()).toBe('y');
    expect(page.$.html()).toContain('<html><head></head><body><b>x</b><table>');
  });
});

it('reads feeds as UTF-8 where nothing says otherwise, also under a type of HTML', () => {
  const feed = '<rss><channel><title>Ü</title><item><link>/ü?ü</link></item></channel></rss>';
  for (const type of ['text/html', 'application/xml', 'application/octet-stream', '']) {
    const page = pageOf(feed, { headers: { 'content-type': type } });
    expect([page.kind, page.encoding, page.title], type).toEqual(['rss', 'UTF-8', 'Ü']);
    expect(urls(page.links)).toEqual(['https://a.example/%C3%BC?%C3%BC']);
  }
  const latin1 = Buffer.from(`<?xml version="1.0" encoding="latin1"?>${feed}`, 'latin1');
  expect(pageOf(latin1, { headers: { 'content-type': 'text/html' } }).title).toBe('Ü');
  const labelled = { headers: { 'content-type': 'text/html; charset=latin1' } };
  expect(pageOf(Buffer.from(feed, 'latin1'), labelled).title).toBe('Ü');
  expect(pageOf('<p>Ü', { headers: { 'content-type': 'text/html' } }).encoding).toBe(
    'windows-1252',
  );
});

describe('follow', () => {
  const html = `
    <link rel=canonical href=/canonical><link rel=stylesheet href=/s.css>
    <a href="one#x">1</a><a href="one#y">again</a><img src=/i.png>
    <a href="page">itself</a><a rel=nofollow href=/no>no</a>
    <div class=pager><a href="/p/2">2</a><span><a href="/p/3">3</a></span></div>`;

  it('follows what leads a reader to another page, each once, without fragments', () => {
    const page = pageOf(html, { depth: 3 });
    const requests = page.follow();
    expect(urls(requests)).toEqual([
      'https://a.example/canonical',
      'https://a.example/dir/one',
      'https://a.example/dir/page',
      'https://a.example/p/2',
      'https://a.example/p/3',
    ]);
    expect(requests[0]).toMatchObject({ depth: 4, referrer: page.url, method: 'GET' });
    // The same, whether or not the links were read before.
    const other = pageOf(html);
    expect(other.links.length).toBeGreaterThan(0);
    expect(urls(other.follow())).toEqual(urls(requests));
  });

  it('asks for just the URLs that the links have, read before or not', () => {
    const random = randomNumbers(7);
    for (let n = 0; n < 1_000; n += 1) {
      const text = randomHtml(random, { foreign: true, faults: 2 });
      const options: PageOptions = { nofollow: n % 2 === 0 ? 'obey' : 'ignore' };
      const headers = n % 3 === 0 ? { link: '<one#x>; rel=next, </two>; rel=prev' } : {};
      const unread = pageOf(text, { options, headers });
      const read = pageOf(text, { options, headers });
      const links = read.links.filter(
        ({ kind, rel }) =>
          followableKinds.has(kind) && !(options.nofollow === 'obey' && rel.includes('nofollow')),
      );
      const hrefs = read.robots.nofollow && options.nofollow === 'obey' ? [] : urls(links);
      const wanted = [...new Set(hrefs.map((url) => url.split('#')[0]))];
      expect(urls(unread.follow()), text).toEqual(wanted);
      expect(urls(read.follow()), text).toEqual(wanted);
      expect(unread.links, text).toEqual(read.links);
    }
  });

  it('cuts off fragments as the URL parser does, whatever stands before them', () => {
    const edges = [
      '',
      ' ',
      '&#9;',
      '&#10;',
      '\u0001',
      '\u00a0',
      '\0',
      'é',
      '?',
      '??',
      '/',
      'x',
      '..',
      '%',
    ];
    const text = edges
      .flatMap((edge) => ['', '/a', '?q=é', '/a?q'].map((front) => front + edge))
      .flatMap((front) => [`${front}#`, `${front}#f`, `${front}#f#g `, ` ${front}`])
      .map((href) => `<a href="${href}"></a><area href="//b.example/${href}">`);
    for (const base of ['', '<base href="?">', '<base href="/b?c#d">', '<base href="x:y">']) {
      for (const charset of ['utf-8', 'windows-1252']) {
        const headers = { 'content-type': `text/html; charset=${charset}` };
        const read = pageOf(base + text.join(''), { headers });
        const wanted = [...new Set(urls(read.links).map((url) => url.split('#')[0]))];
        expect(urls(pageOf(base + text.join(''), { headers }).follow())).toEqual(wanted);
        expect(urls(read.follow())).toEqual(wanted);
      }
    }
  });

  it('writes queries in the encoding of the page, also for links that a selector finds', () => {
    const html = Buffer.from('<p><a href="/é?q=é#é">x</a>', 'latin1');
    const page = pageOf(html, { headers: { 'content-type': 'text/html; charset=latin1' } });
    const wanted = ['https://a.example/%C3%A9?q=%E9'];
    expect(urls(page.follow())).toEqual(wanted);
    expect(urls(page.follow('a'))).toEqual(wanted);
    expect(urls(page.follow('p > a'))).toEqual(wanted);
    expect(urls(page.follow('p'))).toEqual(wanted);
    // What code gives is no part of the page.
    expect(urls(page.follow('/é?q=é'))).toEqual(['https://a.example/%C3%A9?q=%C3%A9']);
  });

  it('follows links in srcdoc if the page was loaded so', () => {
    const html =
      '<a href=1></a><iframe srcdoc="&lt;a href=2#x&gt;&lt;a rel=nofollow href=3>"></iframe>';
    expect(urls(pageOf(html).follow())).toEqual(['https://a.example/dir/1']);
    const all = ['https://a.example/dir/1', 'https://a.example/dir/2'];
    expect(urls(pageOf(html, { options: { srcdoc: true } }).follow())).toEqual(all);
    expect(urls(pageOf(html, { options: { srcdoc: true } }).follow('a'))).toEqual(all);
  });

  it('passes options on to the requests', () => {
    const [first] = pageOf(html).follow('.pager a', {
      label: 'pager',
      priority: 2,
      method: 'post',
      body: 'x',
      headers: { 'X-One': '1' },
      context: { n: 1 },
    });
    expect(first).toMatchObject({
      url: 'https://a.example/p/2',
      label: 'pager',
      priority: 2,
      method: 'POST',
      body: 'x',
      headers: { 'x-one': '1' },
      context: { n: 1 },
    });
    expect(pageOf(html).follow({ label: 'all' })[0]?.label).toBe('all');
  });

  it('follows a selector: links that match, and links inside what matches', () => {
    expect(urls(pageOf(html).follow('.pager a'))).toHaveLength(2);
    expect(urls(pageOf(html).follow('.pager span'))).toEqual(['https://a.example/p/3']);
    expect(urls(pageOf(html).follow('img'))).toEqual(['https://a.example/i.png']);
    expect(pageOf(html).follow('.absent')).toEqual([]);
  });

  it('follows the selectors that need no document as it follows others', () => {
    const more = `${html}<svg><a href="/svg">s</a></svg><map><area href=/area></map><iframe src=/f></iframe>`;
    for (const selector of ['a', 'a[href]', 'area', 'iframe']) {
      expect(urls(pageOf(more).follow(selector)), selector).toEqual(
        urls(pageOf(more).follow(`${selector}:not(.x)`)),
      );
    }
  });

  it('follows URLs, relative to the base', () => {
    const page = pageOf(`<base href="/deep/er/">${html}`);
    expect(
      urls(page.follow(['x', new URL('https://b.example/y'), 'mailto:a@b', 'http://['])),
    ).toEqual(['https://a.example/deep/er/x', 'https://b.example/y']);
    expect(urls(page.follow('/root'))).toEqual(['https://a.example/root']);
    expect(urls(page.follow('https://b.example'))).toEqual(['https://b.example/']);
    expect(urls(page.follow(new URL('https://b.example/z#f')))).toEqual(['https://b.example/z']);
    expect(urls(page.follow('.pager a'))).toEqual([
      'https://a.example/p/2',
      'https://a.example/p/3',
    ]);
  });

  it('follows the links that a function picks', () => {
    expect(urls(pageOf(html).follow(({ text }) => text === '3'))).toEqual([
      'https://a.example/p/3',
    ]);
    expect(urls(pageOf(html).follow(({ kind }) => kind === 'img[src]'))).toEqual([
      'https://a.example/i.png',
    ]);
  });

  it('follows other kinds', () => {
    expect(urls(pageOf(html).follow({ kinds: ['img[src]', 'link[href]'] }))).toEqual([
      'https://a.example/s.css',
      'https://a.example/i.png',
    ]);
    expect(() => pageOf(html).follow({ kinds: ['img[srcc]' as 'img[src]'] })).toThrow(
      /kinds: expected .* got "img\[srcc\]"/,
    );
  });

  it('obeys nofollow unless told otherwise', () => {
    const no = 'https://a.example/no';
    expect(urls(pageOf(html).follow())).not.toContain(no);
    expect(urls(pageOf(html).follow('a'))).not.toContain(no);
    expect(urls(pageOf(html).follow({ nofollow: 'ignore' }))).toContain(no);
    expect(urls(pageOf(html).follow('a', { nofollow: 'ignore' }))).toContain(no);
    expect(urls(pageOf(html, { options: { nofollow: 'ignore' } }).follow())).toContain(no);
    expect(urls(pageOf(html).follow(['/no']))).toEqual([no]);
  });

  it.each([
    ['meta', { body: '<meta name=Robots content="noindex, NOFOLLOW">', headers: {} }],
    ['header', { body: '', headers: { 'x-robots-tag': 'none' } }],
    ['header for this agent', { body: '', headers: { 'x-robots-tag': 'mybot: nofollow' } }],
  ])('follows nothing on a page that says so by %s', (_, { body, headers }) => {
    const options = { userAgent: 'MyBot/2.0 (+https://a.example/)' };
    const page = pageOf(body + html, { headers, options });
    expect(page.robots.nofollow).toBe(true);
    expect(page.follow()).toEqual([]);
    expect(page.follow('a')).toEqual([]);
    expect(page.follow(() => true)).toEqual([]);
    expect(page.follow(['/x'])).toHaveLength(1);
    expect(page.follow({ nofollow: 'ignore' })).not.toHaveLength(0);
    expect(page.links).not.toHaveLength(0);
  });

  it('reads Link and Refresh headers', () => {
    const headers = {
      link: '</next>; rel="next", </style>; rel=preload, <mailto:a@b>; rel=author',
      refresh: '3; url=/soon',
    };
    const page = pageOf('<a href=x>', { headers });
    expect(page.links.map(({ kind, url }) => [kind, url])).toEqual([
      ['next', 'https://a.example/next'],
      ['header[link]', 'https://a.example/style'],
      ['header[refresh]', 'https://a.example/soon'],
      ['a[href]', 'https://a.example/dir/x'],
    ]);
    expect(urls(page.follow())).toEqual([
      'https://a.example/next',
      'https://a.example/soon',
      'https://a.example/dir/x',
    ]);
    expect(pageOf('', { headers, options: { headerLinks: false } }).links).toEqual([]);
  });

  it.each([
    ['', 'canonical'],
    ['; anchor=""', 'canonical'],
    ['; anchor="#part"', 'canonical'],
    ['; anchor="https://a.example/dir/page"', 'canonical'],
    ['; anchor="/other"', 'header[link]'],
    ['; anchor="https://b.example/"', 'header[link]'],
    ['; anchor="http://["', 'header[link]'],
  ])('takes a Link header about another page for none of this one: %j', (anchor, kind) => {
    const page = pageOf('', { headers: { link: `</c>; rel=canonical${anchor}` } });
    expect(page.links.map((link) => [link.kind, link.url])).toEqual([
      [kind, 'https://a.example/c'],
    ]);
    expect(page.meta.canonical).toBe(kind === 'canonical' ? 'https://a.example/c' : undefined);
  });
});

describe('meta', () => {
  it('collects what a page says about itself', () => {
    const page = pageOf(
      `<html lang="en-GB"><head><title>T</title><meta name=description content="A  page">
       <link rel=canonical href="/c"><link rel=next href="?p=2"><link rel=amphtml href=/amp>
       <link rel=alternate hreflang=de href=/de><link rel=alternate type="application/rss+xml" href=/feed>
       <meta property="og:title" content="O"><meta property="og:image" content="1"><meta property="og:image" content="2">
       <meta property="__proto__" content="p"><meta property="og:__proto__" content="p">
       <script type="application/ld+json">{"@type":"Thing","__proto__":{"polluted":1}}</script>
       <script type="application/ld+json">{</script></head>`,
    );
    expect(page.meta).toMatchObject({
      title: 'T',
      description: 'A page',
      canonical: 'https://a.example/c',
      language: 'en-GB',
      robots: { noindex: false, nofollow: false },
      next: 'https://a.example/dir/page?p=2',
      prev: undefined,
      amphtml: 'https://a.example/amp',
      alternates: [{ url: 'https://a.example/de', hreflang: 'de' }],
      feeds: ['https://a.example/feed'],
      warnings: ['json-ld-invalid'],
    });
    expect({ ...page.meta.openGraph }).toEqual({
      'og:title': ['O'],
      'og:image': ['1', '2'],
      'og:__proto__': ['p'],
    });
    expect(Object.getPrototypeOf(page.meta.openGraph)).toBeNull();
    expect(Object.getPrototypeOf(page.meta.jsonLd[0])).toBeNull();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('ignores a canonical link that is ambiguous or in the body', () => {
    const two = pageOf('<link rel=canonical href=/a><link rel=canonical href=/b>').meta;
    expect(two).toMatchObject({ canonical: undefined, warnings: ['canonical-conflict'] });
    const same = pageOf('<link rel=canonical href=/a><link rel=canonical href=/a>').meta;
    expect(same).toMatchObject({ canonical: 'https://a.example/a', warnings: [] });
    const late = pageOf('<p>x<link rel=canonical href=/a>').meta;
    expect(late).toMatchObject({ canonical: undefined, warnings: ['canonical-in-body'] });
  });
});

describe('extract', () => {
  it('takes values by a map of selectors', () => {
    const page = pageOf('<h1>A</h1><ul><li>1<li>2</ul>');
    const values = page.extract({ title: 'h1', items: ['li'] });
    expect(values).toEqual({ title: 'A', items: ['1', '2'] });
    const title: string | undefined = values.title;
    expect(title).toBe('A');
  });
});

describe('loadPage', () => {
  it('makes pages with its options', () => {
    const parse = loadPage({ parser: 'parse5', kinds: ['img[src]'] });
    const page = parse(
      {
        url: 'https://a.example/',
        status: 200,
        headers: {},
        body: Buffer.from('<html><img src=i><a href=x><table><a href=y></table>'),
        redirects: [],
        wireBytes: 1,
      },
      request('https://a.example/'),
    );
    expect(urls(page.links)).toEqual(['https://a.example/i']);
    // Foster parenting: only the exact parser takes the link out of the table.
    expect(page.$('table a').length).toBe(0);
  });

  it('refuses wrong kinds at once', () => {
    expect(() => loadPage({ kinds: ['links' as 'all'] })).toThrow(TypeError);
  });
});
