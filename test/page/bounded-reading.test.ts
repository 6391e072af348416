import { describe, expect, it } from 'vitest';
import { request } from '../../src/core/index.js';
import { createPage, scanLinks, type Page } from '../../src/page/index.js';

const url = 'https://a.example/dir/page';
const scan = (html: string) => scanLinks(html, { url });
const many = (count: number, piece: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => piece(n)).join('');

function page(body: string, type = 'text/html'): Page {
  const headers = { 'content-type': type };
  return createPage(
    { url, status: 200, headers, body: Buffer.from(body), redirects: [], wireBytes: 1 },
    request(url),
  );
}

describe('what is read of one page is bounded', () => {
  it('250,000 tags for title and metadata, also those that are none, or in a template', () => {
    const late = '</template><title>late</title><meta name=description content=late>';
    const of = (before: string) => {
      const { title, meta } = page(before + late);
      return [title, meta.description];
    };
    for (const piece of ['<', '</x>', '<!>', '<template></template>']) {
      const perPiece = piece.split('<').length - 1;
      expect(of(piece.repeat(1_000)), piece).toEqual(['late', 'late']);
      expect(of(piece.repeat(250_000 / perPiece)), piece).toEqual([undefined, undefined]);
    }
  });

  it('1 MiB for a declaration of the encoding', () => {
    const declared = (before: number) =>
      page(`<title>${' '.repeat(before)}</title><meta charset=utf-8>`).encoding;
    expect([declared(100_000), declared(1_000_000)]).toEqual(['UTF-8', 'UTF-8']);
    expect(declared(1_100_000)).toBe('windows-1252');
  });

  it('a rel up to 1,000 characters, without the token that this cuts', () => {
    const rel = `nofollow ${'ab '.repeat(400)}late`;
    const { links } = scan(`<a href=/x rel="${rel}"><a href=/y>`);
    expect(links).toHaveLength(2);
    expect(links[0]?.rel[0]).toBe('nofollow');
    expect(links[0]?.rel).not.toContain('late');
    const long = scan(`<a href=/x rel="${'x'.repeat(993)} nofollow-x">`);
    expect(long.links[0]?.rel).toEqual(['x'.repeat(993)]);
  });

  it('a srcset up to 65,536 characters, up to its last whole candidate', () => {
    const { links, overLimit } = scan(
      `<img srcset="${many(9_000, (n) => `/${n}.png ${n + 1}w, `)}"><a href=/after>`,
    );
    const urls = links.map((link) => link.url);
    expect(urls[0]).toBe('https://a.example/0.png');
    expect(urls.at(-1)).toBe('https://a.example/after');
    expect(urls.length).toBeGreaterThan(3_000);
    for (const [n, found] of urls.slice(0, -1).entries()) {
      expect(found).toBe(`https://a.example/${n}.png`);
    }
    expect(overLimit).toBe(1);
  });

  it('2,000,000 characters of references', () => {
    const { links, overLimit } = scan(many(400, (n) => `<a href="/${n}?${'x'.repeat(10_000)}">`));
    expect(links.length).toBeGreaterThanOrEqual(199);
    expect(links.length + overLimit).toBe(400);
    expect(links.every((link) => link.url.length > 10_000)).toBe(true);
  });

  it('but pictures in data: URLs do not count', () => {
    const pictures = `<img src="data:image/png;base64,${'A'.repeat(60_000)}">`.repeat(50);
    const { links, overLimit, schemes } = scan(`${pictures}<a href=/x>`);
    expect(links.map((link) => link.url)).toEqual(['https://a.example/x']);
    expect([overLimit, schemes.get('data:')]).toEqual([0, 50]);
  });

  it('5,000,000 characters of URLs, which a long base makes of short references', () => {
    const base = `<base href="/${'a/'.repeat(2_000)}">`;
    const { links, overLimit } = scan(base + many(9_000, (n) => `<a href=x${n}>`));
    expect(links.length).toBeLessThan(1_300);
    expect(links.length + overLimit).toBe(9_000);
    const longer = scan(`<base href="/${'a/'.repeat(3_000)}"><a href=x>`);
    expect(longer.base).toBe(url);
    expect(longer.links[0]?.url).toBe('https://a.example/dir/x');
  });

  it('100 robots metas, of short names, and 1,000 characters of each', () => {
    const { robots } = scan('<meta name=robots content=nofollow>'.repeat(1_000));
    expect(robots).toHaveLength(100);
    expect(scan(`<meta name="${'r'.repeat(101)}" content=none>`).robots).toEqual([]);
    expect(scan(`<meta name=robots content="${'a,'.repeat(600)}none">`).robots).toEqual([]);
  });

  it('16,384 characters behind the beginning of a link, for its text', () => {
    const { links } = scan(`<a href=/x>1${'<i></i>'.repeat(3_000)}2</a><a href=/y>3</a>`);
    expect(links.map(({ text }) => text)).toEqual(['1', '3']);
  });

  it('1,000 blocks and 1,000,000 characters of JSON-LD', () => {
    const block = (json: string) => `<script type="application/ld+json">${json}</script>`;
    expect(page(block('{"a":1}').repeat(1_500)).meta.jsonLd).toHaveLength(1_000);
    const large = block(`"${'x'.repeat(400_000)}"`);
    const { jsonLd, warnings } = page(large.repeat(3)).meta;
    expect(jsonLd).toHaveLength(2);
    expect(warnings).toContain('json-ld-invalid');
    const found = scanLinks(block('{"url":"/x"}').repeat(1_500), { url, kinds: ['json-ld'] });
    expect([found.links.length, found.overLimit]).toEqual([1_000, 500]);
  });

  it('250,000 tags, for title and metadata; their links all the same', () => {
    const late = '<title>T</title><meta name=description content=D><a href=/x>';
    const far = page('<p>'.repeat(250_001) + late);
    expect([far.title, far.meta.description]).toEqual([undefined, undefined]);
    expect(far.links).toHaveLength(1);
    const near = page('<p>'.repeat(200_000) + late);
    expect([near.title, near.meta.description]).toEqual(['T', 'D']);
  });

  it('some 250,000 parts of a feed', () => {
    const feed = `<rss><channel>${many(60_000, (n) => `<item><link>/${n}</link></item>`)}`;
    const { links, linkScan } = page(feed, 'application/rss+xml');
    expect(links).toHaveLength(10_000);
    expect(linkScan.overLimit).toBeGreaterThan(10_000);
    expect(links.at(-1)?.url).toBe('https://a.example/9999');
  });
});
