import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSitemapParser, parseSitemap, type SitemapEntry } from 'rxcrawl';
import { cpuTime } from '../helpers/cpu-time.js';
import { describeShared } from '../helpers/shared-cases.js';

const PAGE = 'http://a.test/sitemap.xml';

function parse(document: string | Uint8Array, options: object = {}) {
  return parseSitemap(Buffer.from(document), { url: PAGE, ...options });
}
const urls = (document: string | Uint8Array) => parse(document).entries.map(({ url }) => url);
const codes = (document: string | Uint8Array) => parse(document).warnings.map(({ code }) => code);
const urlset = (content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${content}</urlset>`;
const url = (loc: string, more = '') => `<url><loc>${loc}</loc>${more}</url>`;
const many = (count: number) =>
  urlset(Array.from({ length: count }, (_, i) => url(`http://a.test/${i}`)).join('\n'));

describe('parseSitemap', () => {
  it('reads all fields of an entry', () => {
    const entry = url(
      ' http://a.test/?x=1&amp;y=2\n',
      '<lastmod>2024-02-29</lastmod><changefreq> Daily </changefreq><priority>0.8</priority>' +
        '<xhtml:link rel="alternate" hreflang="de" href="/de?a=1&amp;b"/>' +
        '<image:image><image:loc>http://i.test/1.png</image:loc><image:title>x</image:title></image:image>' +
        '<image:image><image:loc>/2.png</image:loc></image:image>' +
        '<video:video><video:content_loc>http://a.test/no</video:content_loc></video:video>',
    );
    expect(parse(urlset(entry))).toStrictEqual({
      kind: 'urlset',
      entries: [
        {
          url: 'http://a.test/?x=1&y=2',
          lastmod: new Date('2024-02-29'),
          changefreq: 'daily',
          priority: 0.8,
          alternates: [{ url: 'http://a.test/de?a=1&b', hreflang: 'de' }],
          images: ['http://i.test/1.png', 'http://a.test/2.png'],
        },
      ],
      truncated: false,
      warnings: [],
    });
  });

  it('never lets a field leak into the next entry', () => {
    const first = url(
      '/1',
      '<lastmod>2024</lastmod><priority>1</priority><changefreq>never</changefreq>',
    );
    expect(parse(urlset(`${first}${url('/2')}<url/>${url('/3')}`)).entries.slice(1)).toStrictEqual([
      { url: 'http://a.test/2' },
      { url: 'http://a.test/3' },
    ]);
  });

  it('drops fields that are wrong, but not the URL', () => {
    const fields =
      '<lastmod>yesterday</lastmod><priority>7</priority><changefreq>often</changefreq>' +
      '<xhtml:link rel="alternate" href="javascript:x"/>';
    expect(parse(urlset(url('/1', fields))).entries).toStrictEqual([{ url: 'http://a.test/1' }]);
  });

  it('marks entries of other hosts', () => {
    expect(parse(urlset(url('http://b.test/') + url('https://a.test/'))).entries).toStrictEqual([
      { url: 'http://b.test/', otherHost: true },
      { url: 'https://a.test/' },
    ]);
  });

  it.each([
    ['no name space', '<urlset><url><loc>/1</loc></url></urlset>'],
    ['a prefix', '<s:urlset xmlns:s="x"><s:url><s:loc>/1</s:loc></s:url></s:urlset>'],
    ['a prefix on entries alone', '<urlset><s:url><s:loc>/1</s:loc></s:url></urlset>'],
    ['upper case', '<URLSET><URL><LOC>/1</LOC></URL></URLSET>'],
    ['a byte order mark', `\ufeff${urlset(url('/1'))}`],
    ['blanks before the declaration', `\n \n${urlset(url('/1'))}`],
    [
      'a warning before the declaration',
      `<br />\n<b>Warning</b>: x() in <b>/a.php</b><br />\n${urlset(url('/1'))}`,
    ],
    ['a plain warning', `Warning: x in /a.php on line 1\n${urlset(url('/1'))}`],
    ['comments', `<!-- <urlset> -->${urlset(`<!-- ${url('/0')} -->${url('/1')}`)}`],
    [
      'processing instructions',
      `<?xml version="1.0"?><?xml-stylesheet href="a>b"?>${urlset(url('/1'))}`,
    ],
    ['a DOCTYPE', `<!DOCTYPE urlset SYSTEM "a>b">${urlset(url('/1'))}`],
    ['CDATA', urlset(url('<![CDATA[/1]]>'))],
    ['numeric references', urlset(url('&#47;&#x31;'))],
    ['a lost root', url('/1')],
    ['a URL without loc', urlset('<url>http://a.test/1</url>')],
    ['two locs', urlset('<url><loc>/1</loc><loc>/2</loc></url>')],
    ['an entry that is not closed', urlset('<url><loc>/1</loc>')],
    ['a loc that is closed wrongly', urlset('<url><loc>/1</lok></url>')],
    ['other elements', urlset(`<foo>${'x'.repeat(9)}</foo>${url('/1')}`)],
    ['a less-than sign', urlset(url('/1', '<changefreq>daily<</changefreq>'))],
    ['an element of another kind', urlset(`${url('/1')}<sitemap><loc>/2</loc></sitemap>`)],
    ['an extension with a loc', urlset('<url><x:loc>/2</x:loc><loc>/1</loc></url>')],
    [
      'an extension with a url',
      urlset('<url><loc>/1</loc><a><url>http://a.test/2</url></a></url>'),
    ],
  ])('takes %s', (_what, document) => {
    expect(urls(document)).toStrictEqual(['http://a.test/1']);
  });

  it('keeps what stands before and behind an unescaped ampersand', () => {
    const document = urlset(url('/?a=1&b=2') + url('/?copy=1&copy=2&lt=3&') + url('/3'));
    expect(urls(document)).toStrictEqual([
      'http://a.test/?a=1&b=2',
      'http://a.test/?copy=1&copy=2&lt=3&',
      'http://a.test/3',
    ]);
  });

  it('begins a new entry where the last was not closed', () => {
    const document =
      '<urlset><url><loc>/1</loc><lastmod>2024</lastmod><url><loc>/2<url><loc>/3</loc></url></urlset>';
    expect(parse(document).entries).toStrictEqual([
      { url: 'http://a.test/1', lastmod: new Date('2024') },
      { url: 'http://a.test/2' },
      { url: 'http://a.test/3' },
    ]);
  });

  it.each([
    '',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ftp://a.test/',
    'http://[',
    'http://a.test/\0',
    `/${'x'.repeat(9000)}`,
  ])('drops the entry %j, and tells so once', (loc) => {
    const { entries, warnings } = parse(urlset(url(loc) + url(loc) + url('/1')));
    expect(entries).toStrictEqual([{ url: 'http://a.test/1' }]);
    expect(warnings).toMatchObject([{ code: 'invalid-url', count: 2 }]);
  });

  it('reads an index, and leaves out what names the index itself', () => {
    const document =
      '<sitemapindex><sitemap><loc>/1.xml</loc><lastmod>2024</lastmod></sitemap>' +
      `<sitemap>http://a.test/2.xml.gz</sitemap><sitemap><loc>${PAGE}</loc></sitemap>` +
      '<url><loc>/page</loc></url></sitemapindex>';
    expect(parse(document)).toMatchObject({
      kind: 'index',
      entries: [
        { url: 'http://a.test/1.xml', lastmod: new Date('2024') },
        { url: 'http://a.test/2.xml.gz' },
      ],
      warnings: [{ code: 'loop' }],
    });
  });

  it('reads RSS: links of items, or a guid that is a URL', () => {
    const document =
      '<rss version="2.0"><channel><link>http://a.test/</link><atom:link href="/feed"/>' +
      '<item><title>x</title><link>/1</link><pubDate>Thu, 29 Feb 2024 12:30:00 GMT</pubDate></item>' +
      '<item><guid isPermaLink="true">http://a.test/2</guid></item>' +
      '<item><guid>17</guid><atom:link href="http://a.test/3"/></item>' +
      '<item><link>/4</link><guid>http://a.test/no</guid><dc:date>2024-03-01</dc:date></item>' +
      '</channel></rss>';
    expect(parse(document)).toMatchObject({
      kind: 'rss',
      entries: [
        { url: 'http://a.test/1', lastmod: new Date('2024-02-29T12:30:00Z') },
        { url: 'http://a.test/2' },
        { url: 'http://a.test/4', lastmod: new Date('2024-03-01') },
      ],
    });
  });

  it('takes a guid that is said to be no URL only where there is no other', () => {
    const document =
      '<rss><channel><item><guid isPermaLink="false">http://a.test/1</guid></item>' +
      '<item><guid isPermaLink="false">tag:a.test,2</guid></item>' +
      '<item><guid isPermaLink="false">http://a.test/no</guid><link>/3</link></item>' +
      '<item><guid isPermaLink="false">http://a.test/no</guid><atom:link href="http://a.test/4"/></item>' +
      '</channel></rss>';
    expect(urls(document)).toStrictEqual(['http://a.test/1', 'http://a.test/3', 'http://a.test/4']);
  });

  it('resolves by the xml:base of feeds', () => {
    const document =
      '<feed xmlns="x" xml:base="http://b.test/x/"><entry xml:base="y/"><link href="1"/></entry>' +
      '<entry><link href="2"/></entry></feed>';
    expect(urls(document)).toStrictEqual(['http://b.test/x/y/1', 'http://b.test/x/2']);
    expect(
      urls('<rss><channel xml:base="http://b.test/"><item><link> 1 </link></item></channel></rss>'),
    ).toStrictEqual(['http://b.test/1']);
  });

  it('reads RDF', () => {
    const document =
      '<rdf:RDF xmlns:rdf="x"><channel/><item rdf:about="/1"><link>/1</link></item></rdf:RDF>';
    expect(parse(document)).toMatchObject({ kind: 'rss', entries: [{ url: 'http://a.test/1' }] });
  });

  it('reads Atom: the alternate link of each entry', () => {
    const document =
      '<feed xmlns="x"><link href="/"/><entry><link rel="self" href="/self"/><link href="/1"/>' +
      '<link rel="alternate" href="/other"/><updated>2024-02-29T12:30:00Z</updated></entry>' +
      '<entry><link rel="alternate" type="text/html" href="/2"/></entry></feed>';
    expect(parse(document)).toStrictEqual({
      kind: 'atom',
      entries: [
        { url: 'http://a.test/1', lastmod: new Date('2024-02-29T12:30:00Z') },
        { url: 'http://a.test/2' },
      ],
      truncated: false,
      warnings: [],
    });
  });

  it('reads text with any line ends, and passes over other lines', () => {
    expect(
      parse('\ufeffhttp://a.test/1\r\nHTTPS://b.test/2\r  http://a.test/3 \n# no\n\n/4\nhttp://['),
    ).toMatchObject({
      kind: 'text',
      entries: [
        { url: 'http://a.test/1' },
        { url: 'https://b.test/2' },
        { url: 'http://a.test/3' },
      ],
    });
    expect(urls('# my pages\nhttp://a.test/1')).toStrictEqual(['http://a.test/1']);
    expect(urls('http://a.test/1\t2024-01-01\nhttp://a.test/2\t')).toStrictEqual([
      'http://a.test/1',
      'http://a.test/2',
    ]);
  });

  it.each([
    ['', 'empty'],
    [' \n ', 'empty'],
    ['hello', 'not-a-sitemap'],
    ['{"a": 1}', 'not-a-sitemap'],
    [
      '<!doctype html><html><rss><item><link>http://a.test/</link></item></rss></html>',
      'not-a-sitemap',
    ],
    ['<data><a/></data>', 'not-a-sitemap'],
    ['\x89PNG\r\n\x1a\n\0', 'not-a-sitemap'],
  ])('knows that %j is none', (document, code) => {
    expect(parse(document)).toMatchObject({ kind: 'unknown', entries: [], truncated: false });
    expect(codes(document)).toStrictEqual([code]);
  });

  it('decodes by mark, header and declaration, also behind a warning', () => {
    const latin = (text: string) => Buffer.from(text, 'latin1');
    const declared =
      '<?xml version="1.0" encoding="iso-8859-1"?><urlset><url><loc>/é</loc></url></urlset>';
    const expected = ['http://a.test/%C3%A9'];
    expect(urls(latin(declared))).toStrictEqual(expected);
    expect(urls(latin(`<b>Warning</b>\n${declared}`))).toStrictEqual(expected);
    expect(urls(Buffer.from(`\ufeff${urlset(url('/é'))}`, 'utf16le'))).toStrictEqual(expected);
    const { entries } = parse(latin('<urlset><url><loc>/é</loc></url></urlset>'), {
      contentType: 'text/xml; charset=latin1',
    });
    expect(entries).toStrictEqual([{ url: 'http://a.test/%C3%A9' }]);
    expect(urls(latin(urlset(url('/\xff') + url('/2'))))).toStrictEqual([
      'http://a.test/%EF%BF%BD',
      'http://a.test/2',
    ]);
  });

  describe('gzip', () => {
    it('is told by the first bytes, at most twice', () => {
      const document = Buffer.from(urlset(url('/1')));
      expect(urls(gzipSync(document))).toStrictEqual(['http://a.test/1']);
      expect(urls(gzipSync(gzipSync(document)))).toStrictEqual(['http://a.test/1']);
      expect(parse(gzipSync(gzipSync(gzipSync(document))))).toMatchObject({ kind: 'unknown' });
    });

    it('gives what was whole of a cut one', () => {
      const packed = gzipSync(many(2000));
      const { entries, truncated, warnings } = parse(packed.subarray(0, packed.length / 2));
      expect(truncated).toBe(true);
      expect(warnings).toMatchObject([{ code: 'cut' }]);
      expect(entries.length).toBeGreaterThan(200);
      expect(entries.map((entry) => entry.url)).toStrictEqual(
        Array.from(entries, (_, i) => `http://a.test/${i}`),
      );
    });

    it('gives what comes before a broken place', () => {
      const packed = Buffer.from(gzipSync(many(5000)));
      packed.fill(0xff, packed.length / 2, packed.length / 2 + 64);
      const { entries, truncated, warnings } = parse(packed);
      expect(truncated).toBe(true);
      expect(warnings.map(({ code }) => code)).toContain('gzip');
      expect(entries.length).toBeGreaterThan(200);
    });

    it('stops at the limit', () => {
      const { truncated, warnings } = parse(gzipSync(many(50_000)), { maxBytes: 100_000 });
      expect(truncated).toBe(true);
      expect(warnings.map(({ code }) => code)).toContain('too-large');
    });
  });

  it('keeps what is whole of a cut document', () => {
    const whole = urlset(url('/1', '<lastmod>2024-02-29</lastmod>') + url('/2'));
    for (let end = whole.indexOf('<urlset ') + 8; end < whole.length - 9; end++) {
      const { entries, truncated, kind } = parse(whole.slice(0, end));
      expect({ kind, truncated }).toStrictEqual({ kind: 'urlset', truncated: true });
      const [first, second] = entries;
      if (first) expect(first.url).toBe('http://a.test/1');
      if (first?.lastmod) expect(first.lastmod).toStrictEqual(new Date('2024-02-29'));
      if (second) expect(second).toStrictEqual({ url: 'http://a.test/2' });
    }
  });

  it('has limits', () => {
    expect(parse(many(10), { maxUrls: 3 })).toMatchObject({
      entries: { length: 3 },
      truncated: true,
      warnings: [{ code: 'too-many-urls' }],
    });
    expect(parse(many(3), { maxUrls: 3 })).toMatchObject({
      entries: { length: 3 },
      truncated: false,
    });
    expect(parse(many(2000), { maxBytes: 70_000 })).toMatchObject({
      truncated: true,
      warnings: [{ code: 'too-large' }],
    });
  });

  it('refuses wrong options', () => {
    expect(() => parse('', { url: '/sitemap.xml' })).toThrow(TypeError);
    expect(() => parse('', { url: '/sitemap.xml' })).toThrow(/^sitemap: url: .*"\/sitemap.xml"/);
    expect(() => parse('', { maxUrls: 0 })).toThrow(RangeError);
    expect(() => parse('', { maxBytes: 1.5 })).toThrow(/^sitemap: maxBytes: .*1\.5/);
  });

  describe('attacks', () => {
    const bomb = `<!DOCTYPE u [<!ENTITY a "${'x'.repeat(1000)}">${Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i} "${'&a;'.repeat(50)}">`).join('')}]>`;

    it('expands no entity', () => {
      expect(urls(`${bomb}<urlset>${url('/&a19;')}${url('/1')}</urlset>`)).toStrictEqual([
        'http://a.test/1',
      ]);
      expect(codes(`${bomb}<urlset>${url('/&a19;')}</urlset>`)).toStrictEqual([
        'doctype',
        'entity',
      ]);
    });

    it('reads nothing of a DTD', () => {
      const subset = `<!ENTITY x "]>${urlset(url('/no'))}"> <!-- ]> ' --> <?p ]> ?> <!ENTITY % y SYSTEM 'http://a.test/no'> %y;`;
      expect(urls(`<!DOCTYPE urlset [${subset}]>${urlset(url('/1'))}`)).toStrictEqual([
        'http://a.test/1',
      ]);
    });

    it('asks nobody for anything', async () => {
      const asked: string[] = [];
      const server = createServer((request, response) => {
        asked.push(request.url ?? '');
        response.end('<!ENTITY x "y">');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const origin = `http://127.0.0.1:${port}`;
      const document =
        `<?xml-stylesheet href="${origin}/style"?><!DOCTYPE urlset SYSTEM "${origin}/dtd" [` +
        `<!ENTITY e SYSTEM "${origin}/entity"><!ENTITY % p SYSTEM "${origin}/parameter">%p;]>` +
        '<urlset xmlns:xi="http://www.w3.org/2001/XInclude" ' +
        `xsi:schemaLocation="x ${origin}/schema">${url('/&e;')}<xi:include href="${origin}/include"/>` +
        `${url('/1')}</urlset>`;
      expect(urls(document)).toStrictEqual(['http://a.test/1']);
      await new Promise(setImmediate);
      expect(asked).toStrictEqual([]);
      await new Promise((resolve) => server.close(resolve));
    });

    it.each([
      ['nested elements', `<urlset>${'<a>'.repeat(200_000)}`],
      ['nested entries', `<urlset>${'<url>'.repeat(200_000)}`],
      ['attributes', `<urlset ${Array.from({ length: 20_000 }, (_, i) => `a${i}="1"`).join(' ')}>`],
      ['comments that do not end', '<!--'.repeat(200_000)],
      ['declarations that do not end', `<!DOCTYPE u [${'<!ENTITY a "'.repeat(50_000)}`],
      ['tags before the root', '<a>'.repeat(200_000)],
      ['less-than signs', `<urlset>${'<'.repeat(500_000)}`],
      ['ampersands', `<urlset><url><loc>${'&'.repeat(500_000)}`],
      ['end tags', `<urlset>${'</a>'.repeat(200_000)}`],
      ['one long text', `<urlset><url><loc>${'x'.repeat(2_000_000)}</loc></url>`],
      ['one long attribute', `<urlset a="${'x'.repeat(2_000_000)}">`],
      ['blanks', ' '.repeat(2_000_000)],
      ['lines', '\n'.repeat(1_000_000)],
      ['one long line', `http://a.test/${'x'.repeat(2_000_000)}`],
    ])('is quick on many %s', (_what, document) => {
      const bytes = Buffer.from(document);
      expect(parse(bytes).entries.length).toBeLessThan(2);
      expect(cpuTime(() => parse(bytes), 2)).toBeLessThan(500);
    });

    it('gives an entry behind 20,000 attributes', () => {
      const attributes = Array.from({ length: 20_000 }, (_, i) => `a${i}="1"`).join(' ');
      expect(urls(`<urlset ${attributes}>${url('/1')}</urlset>`)).toStrictEqual([
        'http://a.test/1',
      ]);
    });
  });

  it('never throws, and gives http: or https: URLs only', () => {
    const piece = fc.constantFrom(
      ...[
        '<urlset>',
        '<url>',
        '<loc>',
        '</loc>',
        '</url>',
        '</urlset>',
        '<sitemapindex>',
        '<sitemap>',
      ],
      ...[
        '<rss>',
        '<item>',
        '<link>',
        '<entry>',
        '<feed>',
        '<link href="',
        '/1',
        'http://a.test/',
        '">',
      ],
      ...[
        '&',
        '&#',
        ';',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '<!DOCTYPE',
        '[',
        ']',
        '>',
        '<',
        '"',
        '\n',
        '\0',
        'é',
      ],
    );
    const soup = fc.array(piece, { maxLength: 40 }).map((pieces) => Buffer.from(pieces.join('')));
    const document = fc.oneof(
      soup,
      fc.uint8Array(),
      soup.map((bytes) => gzipSync(bytes)),
    );
    fc.assert(
      fc.property(document, (bytes) => {
        for (const entry of parse(bytes).entries) expect(entry.url).toMatch(/^https?:\/\//);
      }),
      { numRuns: 500 },
    );
  });
});

describe('createSitemapParser', () => {
  it('gives each entry as soon as it is whole', () => {
    const parser = createSitemapParser({ url: PAGE });
    expect(parser.kind).toBe('unknown');
    expect(
      parser.write(Buffer.from(`${' '.repeat(1024)}<urlset>${url('/1')}<url><loc>/2`)),
    ).toStrictEqual([{ url: 'http://a.test/1' }]);
    expect(parser.kind).toBe('urlset');
    expect(parser.write(Buffer.from('</loc></url>'))).toStrictEqual([{ url: 'http://a.test/2' }]);
    expect(parser.end()).toStrictEqual([]);
    expect(parser.truncated).toBe(true);
    expect(parser.done).toBe(true);
    expect(parser.write(Buffer.from(url('/3')))).toStrictEqual([]);
    expect(parser.end()).toStrictEqual([]);
  });

  it('gives the same wherever the bytes are cut', () => {
    const documents = [
      `<b>W</b><!DOCTYPE u [<!ENTITY a "]>">]>${urlset(url('/é&amp;1', '<priority>0.5</priority>') + url('/&a;') + url('<![CDATA[/2]]>'))}`,
      'http://a.test/é\r\nhttp://a.test/2\r\n',
      '<rss><item><link>/1</link></item></rss>',
    ];
    for (const document of documents) {
      const bytes = Buffer.concat([Buffer.from(document), Buffer.alloc(1100, ' ')]);
      const expected = parse(bytes);
      for (let size = 1; size < 40; size++) {
        const parser = createSitemapParser({ url: PAGE });
        const entries: SitemapEntry[] = [];
        for (let at = 0; at < bytes.length; at += size) {
          entries.push(...parser.write(bytes.subarray(at, at + size)));
        }
        entries.push(...parser.end());
        const { kind, truncated, warnings } = parser;
        expect({ kind, entries, truncated, warnings }).toStrictEqual(expected);
      }
    }
  });

  it('does not believe the last line of a text that was cut', () => {
    const parser = createSitemapParser({ url: PAGE });
    parser.write(Buffer.from('http://a.test/1\nhttp://a.test/2'));
    expect(parser.end(true)).toStrictEqual([{ url: 'http://a.test/1' }]);
    expect(parser.truncated).toBe(true);
  });
});

describe('text sitemaps', () => {
  it('may end their lines in any way, wherever the pieces are cut', () => {
    const text =
      'http://a.test/1\r\n\r\nhttp://a.test/2\rhttp://a.test/3\n\n\r http://a.test/4 \n\r';
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const parser = createSitemapParser({ url: PAGE });
      const entries = [
        ...parser.write(bytes.subarray(0, cut)),
        ...parser.write(bytes.subarray(cut)),
        ...parser.end(),
      ];
      expect(entries.map(({ url: found }) => found.at(-1))).toEqual(['1', '2', '3', '4']);
    }
  });
});

describeShared('sitemaps', (folder) => {
  interface FileCase {
    readonly id: string;
    readonly file: string;
    readonly kind: string;
    readonly count: number | null;
    readonly contains?: readonly string[];
  }
  interface InlineCase {
    readonly id: string;
    readonly kind: string;
    readonly urls: readonly string[];
    readonly policy?: string;
    readonly doc?: string;
    readonly docBase64?: string;
  }
  const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as {
    readonly files: readonly FileCase[];
    readonly inline: readonly InlineCase[];
  };
  const read = (bytes: Uint8Array) =>
    parseSitemap(bytes, { url: 'http://example.com/sitemap.xml' });

  for (const { id, file, kind, count, contains = [] } of expected.files) {
    it(id, () => {
      const parsed = read(readFileSync(join(folder, file)));
      if (kind === 'broken') expect(parsed.entries.length).toBeGreaterThan(0);
      else if (kind !== 'attack') expect(parsed.kind).toBe(kind);
      if (count !== null) expect(parsed.entries).toHaveLength(count);
      const found = parsed.entries.map((entry) => entry.url);
      expect(found).toEqual(expect.arrayContaining([...contains]));
    });
  }

  /** Ours are to resolve relative URLs, and to keep other hosts, marked. */
  const policies = new Map([
    ['sm-relative', ['http://example.com/a', 'http://example.com/b', 'http://example.com/c']],
    ['sm-other-host', ['http://other.test/a', 'http://example.com/b']],
  ]);
  for (const { id, kind, urls: wanted, doc = '', docBase64 } of expected.inline) {
    it(id, () => {
      const parsed = read(
        docBase64 === undefined ? Buffer.from(doc) : Buffer.from(docBase64, 'base64'),
      );
      expect(parsed.kind).toBe(kind);
      expect(parsed.entries.map((entry) => entry.url)).toStrictEqual(policies.get(id) ?? wanted);
    });
  }

  it('reads every attack under 200 ms', () => {
    for (const file of readdirSync(join(folder, 'xml-attacks'))) {
      const bytes = readFileSync(join(folder, 'xml-attacks', file));
      expect(read(bytes).entries).toHaveLength(0);
      expect(cpuTime(() => read(bytes))).toBeLessThan(200);
    }
  });
});
