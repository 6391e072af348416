import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../helpers/cpu-time.js';
import { parseRobots } from '../../../src/fetch/robots/index.js';

const allows = (robots: string | Uint8Array, url: string, agent = 'ExampleBot') =>
  parseRobots(robots).allows(agent, url);

describe('groups', () => {
  it('finds the group by product token, without case, whatever follows it', () => {
    const robots = 'User-agent: examplebot/2.0 (beta)\nDisallow: /a\n\nUser-agent: *\nDisallow: /b';
    for (const agent of ['ExampleBot', 'EXAMPLEBOT/9', 'examplebot (+https://bot.example/)']) {
      expect(allows(robots, '/a', agent)).toBe(false);
      expect(allows(robots, '/b', agent)).toBe(true);
    }
    expect(allows(robots, '/b', 'Example')).toBe(false);
    expect(allows(robots, '/b', 'ExampleBot-News')).toBe(false);
  });

  it('merges groups that name the same crawler', () => {
    const robots =
      'User-agent: a\nUser-agent: b\nDisallow: /1\nUser-agent: c\nDisallow: /2\nUser-agent: B\nDisallow: /3';
    const denied = (agent: string) =>
      ['/1', '/2', '/3'].filter((path) => !allows(robots, path, agent));
    expect(denied('a')).toEqual(['/1']);
    expect(denied('b')).toEqual(['/1', '/3']);
    expect(denied('c')).toEqual(['/2']);
  });

  it('falls back to * only where no group names the crawler, even an empty one', () => {
    const robots = 'User-agent: *\nDisallow: /\nUser-agent: ExampleBot\nDisallow:';
    expect(allows(robots, '/x')).toBe(true);
    expect(allows(robots, '/x', 'Other')).toBe(false);
    expect(allows('User-agent: * <br>\nDisallow: /', '/x')).toBe(false);
  });

  it('is not ended by other lines, blank lines or comments', () => {
    const robots =
      'User-agent: a\n\n# for both\nSitemap: https://x.example/s.xml\nUser-agent: b\nNoindex: /n\nDisallow: /x';
    expect(allows(robots, '/x', 'a')).toBe(false);
    expect(allows(robots, '/x', 'b')).toBe(false);
  });

  it('passes over rules before the first user agent, and user agents without a name', () => {
    expect(allows('Disallow: /\nUser-agent: *\nAllow: /a', '/b')).toBe(true);
    expect(allows('User-agent:\nDisallow: /', '/b')).toBe(true);
  });

  it('needs the colon and the right spelling', () => {
    expect(allows('User-agent: *\nDisallow /', '/x')).toBe(true);
    expect(allows('User-agent: *\nDissallow: /', '/x')).toBe(true);
    expect(allows(' user-AGENT :*\t\n dISallow\t:/ # all', '/x')).toBe(false);
  });
});

describe('which rule decides', () => {
  it('is the longest, and Allow on a tie, in any order', () => {
    const lines = ['Disallow: /a', 'Allow: /a/b', 'Disallow: /a/b', 'Disallow: /a/b/c'];
    fc.assert(
      fc.property(fc.shuffledSubarray(lines, { minLength: 4 }), (shuffled) => {
        const rules = parseRobots(`User-agent: *\n${shuffled.join('\n')}`);
        expect(
          ['/a', '/a/b', '/a/bx', '/a/b/c', '/'].map((path) => rules.allows('x', path)),
        ).toEqual([false, true, true, false, true]);
      }),
    );
  });

  it('is named with its line', () => {
    const rules = parseRobots('# mine\nUser-agent: *\n\nDisallow: /é*$').forAgent('x');
    expect(rules.ruleFor('https://a.example/%C3%A9a')).toMatchObject({
      allow: false,
      pattern: '/%C3%A9*$',
      line: 4,
    });
    expect(rules.ruleFor('https://a.example/')).toBeUndefined();
  });

  it('counts octets, not characters', () => {
    // Nine octets against eight.
    expect(allows('User-agent: *\nDisallow: /ツ\nAllow: /*******', '/ツ')).toBe(false);
  });

  it('is never one against /robots.txt itself', () => {
    expect(allows('User-agent: *\nDisallow: /', 'https://a.example/robots.txt')).toBe(true);
    expect(allows('User-agent: *\nDisallow: /', 'https://a.example/robots.txt.gz')).toBe(false);
  });

  it('is none for an empty value', () => {
    expect(allows('User-agent: *\nDisallow:\nAllow:', '/x')).toBe(true);
  });
});

describe('patterns', () => {
  it.each([
    ['/fish', ['/fish', '/fish.html', '/fish/', '/fish?id=1'], ['/Fish', '/catfish', '/']],
    ['/fish/', ['/fish/', '/fish/a'], ['/fish', '/fish.html']],
    ['/*.php', ['/a.php', '/a/b.php?x', '/.php/'], ['/a.PHP', '/']],
    ['/*.php$', ['/a.php', '/a.php.php'], ['/a.php?x', '/a.php/', '/a.php5']],
    ['/a*b*c$', ['/abc', '/a-b-b-c', '/axbxcxc'], ['/abcd', '/acb']],
    ['/a$', ['/a'], ['/a/', '/a?']],
    ['/$', ['/'], ['/a', '/?']],
    ['*', ['/', '/x'], []],
    ['/**x', ['/x', '/yx'], ['/y']],
    ['/*ab*ab$', ['/abab', '/xab.ab'], ['/ab', '/aba', '/abb']],
    ['/a$b', ['/a$b', '/a%24bc'], ['/a', '/ab']],
    ['/a%2Ab', ['/a*b', '/a%2ab'], ['/axb', '/ab']],
    ['/a%24', ['/a$', '/a$b'], ['/a']],
    ['fish', [], ['/fish', '/']],
    ['$', [], ['/', '/$']],
  ])('%s', (pattern, denied, allowed) => {
    const rules = parseRobots(`User-agent: *\nDisallow: ${pattern}`);
    expect([...denied, ...allowed].filter((path) => !rules.allows('x', path))).toEqual(denied);
  });

  it.each([
    ['/%7Ejoe', '/~joe'],
    ['/~joe', '/%7ejoe'],
    ['/%c3%a9', '/é'],
    ['/é', '/%C3%A9'],
    ['/a<b>', '/a%3cb%3E'],
    ['/a%3Cb', '/a<b'],
    ["/?q='x'", '/?q=%27x%27'],
    ['/%zz%', '/%zz%'],
  ])('%s is %s', (pattern, path) => {
    expect(allows(`User-agent: *\nDisallow: ${pattern}`, path)).toBe(false);
  });

  it('keeps encoded reserved characters apart from plain ones', () => {
    expect(allows('User-agent: *\nDisallow: /a%2Fb', '/a/b')).toBe(true);
    expect(allows('User-agent: *\nDisallow: /a/b', '/a%2fb')).toBe(true);
  });

  it('takes octets that are no UTF-8 as they are', () => {
    const latin1 = Buffer.from('User-agent: *\nDisallow: /\xfc', 'latin1');
    expect(allows(latin1, '/%FC')).toBe(false);
    expect(allows(latin1, '/ü')).toBe(true);
    // "à" ends with the octet A0, which is no blank here.
    expect(allows(Buffer.from('User-agent: *\nDisallow: /à'), '/%C3b')).toBe(true);
  });

  it('gives the same answers as a plain recursive matcher', () => {
    const piece = fc.constantFrom('a', 'b', '/', '*', '$');
    fc.assert(
      fc.property(
        fc.string({ unit: piece, maxLength: 8 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 10 }),
        (pattern, path) => {
          const expected = pattern === '' || !matchesPlainly(`/${pattern}`, `/${path}`);
          const robots = `User-agent: *
Disallow: ${pattern && `/${pattern}`}`;
          expect(allows(robots, `https://a.example/${path}`)).toBe(expected);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

/** The definition, at exponential cost. */
function matchesPlainly(pattern: string, path: string): boolean {
  if (pattern === '') return true;
  if (pattern === '$') return path === '';
  if (pattern.startsWith('*')) {
    return (
      matchesPlainly(pattern.slice(1), path) ||
      (path !== '' && matchesPlainly(pattern, path.slice(1)))
    );
  }
  return path.startsWith(pattern.charAt(0)) && matchesPlainly(pattern.slice(1), path.slice(1));
}

describe('URLs', () => {
  it.each([
    ['https://a.example/p/x?y#z', '/p/x?y'],
    ['https://a.example', '/'],
    ['https://a.example#/p', '/'],
    ['https://a.example?p', '/?p'],
    ['http://user:pw@a.example:81/p;x', '/p;x'],
    ['https://a.example/q/../p/x', '/p/x'],
    ['https://a.example/q/%2e%2E/p', '/p'],
    ['https://a.example\\p', '/p'],
    ['//a.example/p', '/p'],
    ['a.example/p', '/p'],
    ['a.example', '/'],
    ['/p?u=http://b.example/', '/p?u=http://b.example/'],
  ])('%s is judged by %s', (url, path) => {
    const robots = `User-agent: *\nDisallow: /\nAllow: ${path}$`;
    expect(allows(robots, url)).toBe(true);
    expect(allows(`User-agent: *\nAllow: /\nDisallow: ${path}$`, url)).toBe(false);
  });
});

describe('other lines', () => {
  it('gives the delay of the crawler, in ms', () => {
    const rules = parseRobots(
      'User-agent: *\nCrawl-delay: 1.5\nUser-agent: a\nUser-agent: b\nCrawl-delay: 10\n' +
        'Disallow: /x\nCrawl-delay: 12\nUser-agent: c\nDisallow: /',
    );
    expect(['other', 'a', 'B/1.0', 'c'].map((agent) => rules.crawlDelay(agent))).toEqual([
      1500,
      12_000,
      12_000,
      undefined,
    ]);
  });

  it.each([
    ['0', 0],
    ['.5', 500],
    ['0.07', 70],
    ['3 # seconds', 3000],
    ['10<BR>', 10_000],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['-1', undefined],
    ['1.2.3', undefined],
    ['10a', undefined],
    ['1e3', undefined],
    ['', undefined],
    ['soon', undefined],
  ])('reads the delay %s', (value, ms) => {
    expect(parseRobots(`User-agent: *\nCrawl-delay: ${value}`).crawlDelay('x')).toBe(ms);
  });

  it('gives the sitemaps of all groups, each once, in order', () => {
    const rules = parseRobots(
      'Sitemap: https://a.example/é.xml\nUser-agent: *\nsitemap:/2.xml\nDisallow: /\n' +
        'Sitemap:\nSITEMAP: /2.xml # again\nSitemap: /3.xml',
    );
    expect(rules.sitemaps).toEqual(['https://a.example/é.xml', '/2.xml', '/3.xml']);
  });
});

describe('bytes', () => {
  const robots = 'User-agent: *\nDisallow: /x\nSitemap: /é.xml\n';

  it.each(['\n', '\r', '\r\n', '\r\r\n', '\n\r'])('ends lines with %j', (end) => {
    expect(allows(robots.replaceAll('\n', end), '/x')).toBe(false);
  });

  it('counts lines of any kind', () => {
    const rules = parseRobots('\r\n\n\rUser-agent: *\r\nDisallow: /x').forAgent('x');
    expect(rules.ruleFor('/x')?.line).toBe(5);
  });

  it('reads UTF-8 with a whole or a cut mark', () => {
    for (const mark of [[0xef, 0xbb, 0xbf], [0xef, 0xbb], [0xef]]) {
      expect(allows(Buffer.concat([Buffer.from(mark), Buffer.from(robots)]), '/x')).toBe(false);
    }
  });

  it('reads UTF-16 of both orders, with and without a mark', () => {
    const little = Buffer.from(robots, 'utf16le');
    const big = Buffer.from(little).swap16();
    for (const bytes of [
      little,
      big,
      Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
      Buffer.concat([Buffer.from([0xfe, 0xff]), big]),
    ]) {
      const rules = parseRobots(bytes);
      expect(rules.allows('x', '/x')).toBe(false);
      expect(rules.sitemaps).toEqual(['/é.xml']);
    }
  });

  it('finds the rules in a page of HTML, and none where there are none', () => {
    expect(allows('<html><body>not found</body></html>', '/x')).toBe(true);
    expect(allows('<pre>\nUser-agent: *\nDisallow: /x\n</pre>', '/x')).toBe(false);
  });

  it('never throws', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .array(
          fc.constantFrom(
            'User-agent:',
            'Disallow:',
            'Allow',
            ' *',
            '/',
            '$',
            '%',
            '\r',
            '\n',
            '\0',
            'é',
            '#',
            ':',
          ),
        )
        .map((parts) => Buffer.from(parts.join(''))),
    );
    fc.assert(
      fc.property(bytes, fc.string({ unit: 'binary' }), (input, url) => {
        const rules = parseRobots(input);
        expect(typeof rules.allows('ExampleBot', url)).toBe('boolean');
        expect(typeof parseRobots(url).allows(url, url)).toBe('boolean');
        expect(rules.crawlDelay('*') ?? 0).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('limits', () => {
  const head = 'User-agent: *\n';
  const fill = (bytes: number) => `${head}#${'-'.repeat(bytes - head.length - 2)}\n`;

  it('reads 512,000 bytes and drops the line that they cut', () => {
    const inside = fill(512_000 - 'Disallow: /a\n'.length);
    expect(allows(`${inside}Disallow: /a\nDisallow: /b`, '/a')).toBe(false);
    expect(allows(`${inside}Disallow: /a\nDisallow: /b`, '/b')).toBe(true);
    expect(allows(`${inside}Disallow: /aaa\n`, '/aa')).toBe(true);
    expect(allows(`${inside}Disallow: /aaa\n`, '/aaa')).toBe(true);
  });

  it('keeps a last line that ends just there', () => {
    const inside = fill(512_000 - 'Disallow: /a'.length);
    expect(allows(`${inside}Disallow: /a`, '/a')).toBe(false);
    expect(allows(`${inside}Disallow: /a\r\nmore`, '/a')).toBe(false);
    expect(allows(`${inside}Disallow: /ab\n`, '/a')).toBe(true);
  });

  it('counts the bytes of a text in UTF-8', () => {
    const text = `${head}# ${'é'.repeat(256_000)}\nDisallow: /`;
    expect(allows(text, '/a')).toBe(true);
  });

  it('drops the last line of a file that came in cut', () => {
    const options = { truncated: true };
    expect(parseRobots(`${head}Disallow: /a\nAllow: /`, options).allows('x', '/a')).toBe(false);
    expect(parseRobots(`${head}Disallow: /a`, options).allows('x', '/a')).toBe(true);
  });

  function within(ms: number, act: () => unknown): void {
    expect(cpuTime(act)).toBeLessThan(ms);
  }

  it('matches many stars in linear time', () => {
    const rules = parseRobots(`${head}Disallow: /*a*a*a*a*a*a*a*a*a*b`);
    within(50, () => rules.allows('x', `/${'a'.repeat(10_000)}`));
  });

  it('matches long parts in linear time', () => {
    const part = `${'a'.repeat(25_000)}b${'a'.repeat(25_000)}`;
    const rules = parseRobots(`${head}Disallow: /*${part}\nDisallow: /*c${part}`);
    within(100, () => expect(rules.allows('x', `/${'a'.repeat(100_000)}`)).toBe(true));
    expect(rules.allows('x', `/xx${part}`)).toBe(false);
  });

  it('matches one URL against 20,000 rules', () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `Disallow: /*p${i}/x$`);
    const rules = parseRobots(head + lines.join('\n'));
    within(100, () => rules.allows('x', 'https://a.example/some/page.html?a=b'));
  });

  it('shares rules between the thousands of names of one group', () => {
    const names = Array.from(
      { length: 9_000 },
      (_, i) => `User-agent: ${'abcdefghij'.charAt(i % 10)}${'x'.repeat(i % 30)}\n`,
    );
    const text = names.join('') + 'Disallow: /x\n'.repeat(20_000);
    within(200, () => parseRobots(text));
  });
});
