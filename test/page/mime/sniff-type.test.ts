import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sniffType, type PageKind } from 'rxcrawl';

const text = (value: string) => Buffer.from(value, 'latin1');
const PAGE = '<!DOCTYPE html><title>x</title>';
const URLSET = '<?xml version="1.0"?><urlset xmlns="x"><url/></urlset>';
const ZIP = 'PK\x03\x04\x14\0\0\0\x08\0';

describe('sniffType', () => {
  it.each<[string, string | undefined, string, PageKind]>([
    ['HTML by label', 'text/html', 'just words', 'html'],
    ['HTML without a type', undefined, `\n  ${PAGE}`, 'html'],
    ['HTML without a type, by an element', undefined, '<ul class=x><li>1', 'html'],
    ['HTML without a type, by a comment', undefined, '<!-- hello -->words', 'html'],
    ['HTML with a type that is none', 'html', PAGE, 'html'],
    ['HTML as octets', 'application/octet-stream', PAGE, 'html'],
    ['HTML as an image', 'image/png', PAGE, 'html'],
    ['HTML behind a byte order mark', undefined, `\xef\xbb\xbf${PAGE}`, 'html'],
    ['HTML as text is text, as in browsers', 'text/plain', PAGE, 'text'],
    ['HTML with a NUL byte in it', 'text/html', '<p>a\0b</p>', 'html'],
    ['a zip under text/html', 'text/html', ZIP, 'archive'],
    ['gzip under text/html', 'text/html', gzipSync('x').toString('latin1'), 'archive'],
    [
      'an executable under text/html',
      'text/html; charset=utf-8',
      '\x7fELF\x02\x01\x01\0',
      'binary',
    ],
    ['unknown binary data under text/html', 'text/html', '\x01\x02\x03\x04abc', 'binary'],
    ['unknown binary data', undefined, 'abc\0\x01', 'binary'],
    ['binary data that only the label knows', 'image/x-odd', 'abc\0\x01', 'image'],
    ['a PDF', 'text/plain', '%PDF-1.7\n', 'pdf'],
    ['a PNG', undefined, '\x89PNG\r\n\x1a\n\0\0', 'image'],
    ['a WebP', undefined, 'RIFF\x10\0\0\0WEBPVP8 ', 'image'],
    ['an AVI', undefined, 'RIFF\x10\0\0\0AVI ', 'video'],
    ['an AVIF', undefined, '\0\0\0\x1cftypavif', 'image'],
    ['an MP4', undefined, '\0\0\0\x1cftypisom', 'video'],
    ['an MP3', undefined, '\xff\xfb\x90\x64', 'audio'],
    ['a bitmap', undefined, 'BM\x46\x10\x02\0\0\0\0\0\x36', 'image'],
    ['a RAR, as the standard spells it', undefined, 'Rar \x1a\x07\0', 'archive'],
    ['an embedded OpenType font', undefined, `${'\0'.repeat(34)}LP`, 'font'],
    ['a font', undefined, 'wOF2\0\x01\0\0', 'font'],
    ['a tar', undefined, `name${'\0'.repeat(253)}ustar`, 'archive'],
    ['XHTML by label', 'application/xhtml+xml', '<html/>', 'xhtml'],
    ['XHTML by root', 'application/xml', '<?xml version="1.0"?>\n<html xmlns="x"/>', 'xhtml'],
    ['XHTML with a DOCTYPE', 'text/xml', '<?xml version="1.0"?><!DOCTYPE html []><html>', 'xhtml'],
    ['XHTML that is sent as HTML', 'text/html', '<?xml version="1.0"?><html>', 'html'],
    ['XML', 'application/xml', '<data/>', 'xml'],
    ['XML without a type', undefined, '<?xml version="1.0"?><data/>', 'xml'],
    ['SVG', 'image/svg+xml', '<svg xmlns="x"/>', 'xml'],
    ['RSS', 'application/xml', '<rss version="2.0">', 'rss'],
    ['RSS as HTML', 'text/html', '<?xml version="1.0"?><!-- c --><rss version="2.0">', 'rss'],
    ['RDF', 'text/xml', '<rdf:RDF xmlns:rdf="x">', 'rss'],
    ['RSS by label', 'application/rss+xml', '<odd/>', 'rss'],
    ['Atom', 'application/atom+xml', '<feed xmlns="x">', 'atom'],
    ['a sitemap', 'application/xml', URLSET, 'sitemap'],
    ['a sitemap as HTML', 'text/html', URLSET, 'sitemap'],
    ['a sitemap with a prefix', undefined, '<s:urlset xmlns:s="x">', 'sitemap'],
    ['a sitemap index behind a style sheet', 'text/xml', '<?xml?><?xsl?><sitemapindex>', 'sitemap'],
    ['JSON', 'application/ld+json; charset=utf-8', '{}', 'json'],
    ['JSON that looks like HTML', 'application/json', '<html>', 'json'],
    ['a style sheet', 'text/css', 'a{}', 'css'],
    ['a script', 'text/javascript', 'x()', 'javascript'],
    ['words without a type', undefined, 'hello', 'text'],
    ['a less-than sign is no tag', undefined, '<3 you', 'text'],
    ['words under an unknown type', 'application/x-odd', 'hello', 'text'],
    ['nothing under a type', 'text/html', '', 'html'],
    ['nothing', undefined, '', 'text'],
  ])('%s', (_what, contentType, body, kind) => {
    expect(sniffType(text(body), contentType)).toBe(kind);
  });

  it.each([
    'OTTO von Bismarck',
    'ID3 tags',
    'wOFF and wOF2',
    'wOF2 is newer',
    'ttcf',
    '.snd files',
    'fLaC',
    'The ftyp box',
    'BM world news of today',
    '\xff\xe2\xe8\xeb\xf1\xff',
  ])('takes words that begin as media does for text: %j', (words) => {
    expect(sniffType(text(words), 'text/plain')).toBe('text');
    expect(sniffType(text(words), 'text/html; charset=windows-1251')).toBe('html');
    expect(sniffType(text(words), 'application/xml')).toBe('xml');
    expect(sniffType(text(`${words}\0\0\x01`), 'image/x-odd')).not.toBe('text');
  });

  it('takes words about a format for text without a type', () => {
    expect(sniffType(text('The ftyp box'))).toBe('text');
    expect(sniffType(text('BM world news of today'))).toBe('text');
  });

  it('does not take UTF-16 for binary data', () => {
    const wide = Buffer.from(PAGE, 'utf16le');
    expect(sniffType(Buffer.concat([text('\xff\xfe'), wide]))).toBe('html');
    expect(sniffType(wide)).toBe('html');
    expect(sniffType(Buffer.from('ab', 'utf16le'), 'text/html; charset=UTF-16LE')).toBe('html');
  });

  it('gives a kind for any bytes under any label, and never HTML for an archive', () => {
    const label = fc.constantFrom('text/html', 'text/plain', 'application/xml', 'a/b', undefined);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), label, (bytes, contentType) => {
        expect(sniffType(bytes, contentType)).toMatch(/^[a-z]+$/);
        expect(sniffType(Buffer.concat([text(ZIP), bytes]), contentType)).toBe('archive');
      }),
    );
  });
});
