import { describe, expect, it } from 'vitest';
import { request, type FetchedResponse } from '../../src/core/index.js';
import { runToEnd, virtualPage, virtualSite, type SiteSpec } from '../../src/testing/index.js';

function page(spec: SiteSpec, change: (response: FetchedResponse) => FetchedResponse = (r) => r) {
  const asked = request('https://a.example/dir/', { depth: 2 });
  const site = virtualSite('https://a.example', spec);
  return virtualPage(change(runToEnd(site.fetcher(asked))[0]!.event), asked);
}

describe('virtualPage', () => {
  it('has what every page has', () => {
    const made = page({ '/dir/': { body: 'x', status: 201 } });
    expect(made).toMatchObject({ url: 'https://a.example/dir/', status: 201, redirects: [] });
    expect(made.request.depth).toBe(2);
    expect(made.headers['content-type']).toMatch(/html/);
    expect(made.bytes).toEqual(Uint8Array.of(120));
  });

  it('resolves the links of the description, and leaves out what is no URL', () => {
    const { links } = page({ '/dir/': ['b', '/c#part', '//d.example', 'http://[', 'mailto:x@y'] });
    expect(links).toEqual([
      'https://a.example/dir/b',
      'https://a.example/c',
      'https://d.example/',
      'mailto:x@y',
    ]);
  });

  it('finds links in a body', () => {
    const { links } = page({
      '/dir/': '<a href="b">B</a> <a class=x href="/c?d&amp;e">C</a> <a href="',
    });
    expect(links).toEqual(['https://a.example/dir/b', 'https://a.example/c?d&e']);
  });

  it('prefers the links of the description to those of the body, also in a copy', () => {
    const spec = { '/dir/': { links: ['/b'], body: '<a href="/other">' } };
    expect(page(spec, (response) => ({ ...response })).links).toEqual(['https://a.example/b']);
  });

  it('follows all links, one hop deeper', () => {
    const made = page({ '/dir/': ['b', '/c'] });
    expect(made.follow()).toMatchObject([
      { url: 'https://a.example/dir/b', depth: 3, referrer: 'https://a.example/dir/' },
      { url: 'https://a.example/c', depth: 3, referrer: 'https://a.example/dir/' },
    ]);
  });

  it('follows given URLs, with options', () => {
    const made = page({ '/dir/': [] });
    expect(made.follow('x', { label: 'one', priority: 2 })).toMatchObject([
      { url: 'https://a.example/dir/x', depth: 3, label: 'one', priority: 2 },
    ]);
    expect(made.follow(new Set(['/y', '/z'])).map(({ url }) => url)).toEqual([
      'https://a.example/y',
      'https://a.example/z',
    ]);
  });
});
