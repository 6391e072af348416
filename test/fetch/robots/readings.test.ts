import { describe, expect, it } from 'vitest';
import { parseRobots } from '../../../src/index.js';

// Single lines and groups that programs read in different ways: what RFC 9309 says of each. The
// crawler is called `b`.

/** Rules for all, a path, and whether it may be fetched. */
type RuleCase = [lines: string, path: string, allowed: boolean];

/** A whole file, the crawler's name, a path, and whether it may be fetched. */
type FileCase = [file: string | Buffer, agent: string, path: string, allowed: boolean];

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

function allows(file: string | Uint8Array, agent: string, path: string): boolean {
  return parseRobots(file).allows(agent, `https://a.example${path}`);
}

describe('a rule', () => {
  it.each<RuleCase>([
    ['Disallow: /*?', '/x?y', false],
    ['Disallow: /*?$', '/x?', false],
    ['Disallow: /*?$', '/x?y', true],
    ['Disallow: /$/', '/$/x', false],
    ['Disallow: /$$', '/$', false],
    ['Disallow: /$$', '/', true],
    ['Disallow: /a*$', '/abc?d', false],
    ['Disallow: /*/*/c', '/a/b/c', false],
    ['Disallow: /*/*/c', '/a/c', true],
    ['Disallow: *', '/', false],
    ['Disallow: *.gif$', '/x.gif', false],
    ['Disallow: *.gif$', '/x.gifs', true],
    ['Disallow: /a\nAllow: /a$', '/a', true],
    ['Disallow: /a\nAllow: /a$', '/ab', false],
    ['Disallow: /\nAllow: /$', '/?x', false],
    ['Allow: /a*\nDisallow: /ab', '/abc', true],
    ['Allow: /*.htm\nDisallow: /folder', '/folder/x.htm', false],
    ['Allow: /page\nDisallow: /*.ph', '/page.php5', true],
    ['Disallow: /%61', '/a', false],
    ['Disallow: /a%2fb', '/a/b', true],
    ['Disallow: /a%2Fb', '/a%2fb', false],
    ['Disallow: /a b', '/a%20b', false],
    ['Disallow: /a%20b', '/a b', false],
    ['Disallow: /a+b', '/a%2Bb', true],
    ['Disallow: /%2', '/%2', false],
    ['Disallow: /%2A', '/x', true],
    ['Disallow: /%2a', '/*', false],
    ['Disallow: /x%24', '/x$y', false],
    ['Disallow: /😀', '/%F0%9F%98%80', false],
    ['Disallow: /%23x', '/%23x', false],
    ['Disallow: /x#y', '/x', false],
    ['Disallow: /a;b', '/a%3Bb', true],
    ['DISALLOW: /', '/x', false],
    ['disallow : /', '/x', false],
    ['\tDisallow:/', '/x', false],
    ['Disallow /', '/x', true],
    ['Disallow: / # c', '/x', false],
    ['Disallow: /#c', '/x', false],
    ['#Disallow: /', '/x', true],
    ['Disallow:#/', '/x', true],
    ['Disallow: \t /x \t', '/x', false],
    ['Disallow:\u00a0/x', '/x', true],
    ['Noindex: /', '/x', true],
    ['Disallow: /\0x', '/%00x', false],
    ['Disallow: /x\nAllow: /x', '/x', true],
    ['Disallow: /', '/robots.txt', true],
    ['Disallow: /', '/robots.txt?x', false],
    ['Disallow: /', '/ROBOTS.TXT', false],
    ['Disallow: https://a.example/x', '/x', true],
    ['Disallow: //x', '//x', false],
    ['Disallow: x', '/x', true],
    ['Disallow: ?x', '/?x', true],
    ['Disallow: /x?y', '/x?y=1', false],
    ['Disallow: /X', '/x', true],
    ['Disallow: /a/../b', '/b', true],
  ])('%j, %s: %j', (lines, path, allowed) => {
    expect(allows(`User-agent: *\n${lines}`, 'b', path)).toBe(allowed);
  });
});

describe('a file', () => {
  it.each<FileCase>([
    ['\ufeffUser-agent: *\nDisallow: /', 'b', '/x', false],
    [bytes('\xef\xbb\xbfUser-agent: *\nDisallow: /'), 'b', '/x', false],
    ['User-agent: *\rDisallow: /x\rAllow: /x/y', 'b', '/x/y', true],
    ['User-agent: *\rDisallow: /x', 'b', '/x', false],
    ['User-agent: *\r\r\nDisallow: /x', 'b', '/x', false],
    ['User-agent: *\u2028Disallow: /', 'b', '/x', true],
    ['User-agent: *\fDisallow: /', 'b', '/x', true],
    ['User-agent: *\u0085Disallow: /', 'b', '/x', true],
    ['\n\n\nUser-agent: *\n\n\nDisallow: /x', 'b', '/x', false],
    [Buffer.from('\ufeffUser-agent: *\nDisallow: /', 'utf16le'), 'b', '/x', false],
    [Buffer.from('\ufeffUser-agent: *\nDisallow: /', 'utf16le').swap16(), 'b', '/x', false],
    [bytes('User-agent: *\nDisallow: /\xfc'), 'b', '/%FC', false],
    ['User agent: *\nDisallow: /', 'b', '/x', true],
    ['Disallow: /', 'b', '/x', true],
    ['User-agent:\nDisallow: /', 'b', '/x', true],
    ['User-agent: b\nUser-agent: c\nDisallow: /x', 'c', '/x', false],
    ['User-agent: b\nDisallow: /x\nUser-agent: b\nDisallow: /y', 'b', '/y', false],
    ['User-agent: b\nDisallow: /x\n\nUser-agent: *\nDisallow: /y', 'b', '/y', true],
    ['User-agent: *\nDisallow: /\nUser-agent: b\nDisallow:', 'b', '/y', true],
    ['User-agent: b\n\nUser-agent: *\nDisallow: /', 'b', '/y', false],
    ['User-agent: b\nSitemap: /s\nUser-agent: c\nDisallow: /', 'b', '/y', false],
    ['User-agent: b\nCrawl-delay: 3\nUser-agent: c\nDisallow: /', 'b', '/y', false],
    ['User-agent: b/2.0\nDisallow: /', 'b', '/y', false],
    ['User-agent: bb\nDisallow: /', 'b', '/y', true],
    ['User-agent: b\nDisallow: /', 'bb', '/y', true],
    ['User-agent: B\nDisallow: /', 'b/1.0 (x)', '/y', false],
    ['User-agent: b-x\nDisallow: /', 'b', '/y', true],
    ['User-agent: b_x\nDisallow: /', 'b_x', '/y', false],
    ['User-agent: b*\nDisallow: /', 'b', '/y', false],
    ['User-agent: *b\nDisallow: /', 'b', '/y', true],
    ['User-agent: *\nUser-agent: c\nDisallow: /', 'b', '/y', false],
    ['User-agent: * # all\nDisallow: /', 'b', '/y', false],
    ['User-agent: **\nDisallow: /', 'b', '/y', true],
  ])('%j for %s, %s: %j', (file, agent, path, allowed) => {
    expect(allows(file, agent, path)).toBe(allowed);
  });
});
