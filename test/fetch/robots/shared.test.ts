import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isProductToken, parseRobots, type RobotsRules } from '../../../src/fetch/robots/index.js';
import { cpuTime } from '../../helpers/cpu-time.js';
import { describeShared } from '../../helpers/shared-cases.js';

type Text = string | { base64: string } | { parts: [string, number][] };
interface Case {
  id: string;
  robots: string;
  userAgent: string;
  url: Text;
  allowed: boolean;
  rfc9309: string;
}
interface Other {
  robots: string;
  what: string;
  userAgent?: string | null;
  args?: [string?, string?];
  expected: unknown;
}
interface Suite {
  robots: Record<string, Text>;
  cases: Case[];
  other?: Other[];
  productTokens?: { token: string; valid: boolean }[];
}

/** What is asked besides allow or disallow, in our terms; `undefined` for what we do not have. */
function ask(rules: RobotsRules, { what, userAgent, args = [] }: Other): unknown {
  switch (what) {
    case 'crawlDelaySeconds':
      return (rules.crawlDelay(userAgent ?? '*') ?? NaN) / 1000;
    case 'crawlDelayMs':
      return rules.crawlDelay(userAgent ?? '*') ?? NaN;
    case 'getCrawlDelay':
      return (rules.crawlDelay(args[0] ?? '*') ?? NaN) / 1000;
    case 'sitemaps':
    case 'getSitemaps':
      return rules.sitemaps;
    case 'getMatchingLineNumber':
      return rules.forAgent(args[1] ?? '*').ruleFor(args[0] ?? '')?.line;
    default:
      return undefined;
  }
}

function bytesOf(text: Text): Uint8Array | string {
  if (typeof text === 'string') return text;
  if ('base64' in text) return Buffer.from(text.base64, 'base64');
  return text.parts.map(([part, times]) => part.repeat(times)).join('');
}

const SUITES = [
  'google',
  'google-spec-test',
  'protego',
  'crawler-commons',
  'reppy',
  'robots-parser-js',
];

describeShared('robots', (folder) => {
  it.each(SUITES)('%s: all cases that agree with RFC 9309', (name) => {
    const suite = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Suite;
    const cases = suite.cases.filter(({ rfc9309 }) => rfc9309 === 'agree');
    expect(cases.length).toBeGreaterThan(30);
    const wrong = cases.filter(({ robots, userAgent, url, allowed }) => {
      const rules = parseRobots(bytesOf(suite.robots[robots] ?? ''));
      return rules.allows(userAgent, String(bytesOf(url))) !== allowed;
    });
    expect(wrong).toEqual([]);
  });

  it.each(SUITES)('%s: delays, sitemaps and lines', (name) => {
    const suite = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Suite;
    for (const other of suite.other ?? []) {
      const answer = ask(parseRobots(bytesOf(suite.robots[other.robots] ?? '')), other);
      if (answer !== undefined)
        expect(answer, JSON.stringify(other)).toEqual(other.expected ?? NaN);
    }
    for (const { token, valid } of suite.productTokens ?? []) {
      expect(isProductToken(token), token).toBe(valid);
    }
  });
});

describeShared('robots-real', (folder) => {
  const files = join(folder, 'files');

  it('answers as three matchers agree', () => {
    const { cases } = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as {
      cases: [id: string, file: string, userAgent: string, url: string, allowed: boolean][];
    };
    expect(cases.length).toBeGreaterThan(100);
    const wrong = cases.filter(([, file, userAgent, url, allowed]) => {
      const rules = parseRobots(readFileSync(join(files, file)));
      return rules.allows(userAgent, url) !== allowed;
    });
    expect(wrong).toEqual([]);
  });

  it('takes under 20 ms a file', () => {
    for (const file of readdirSync(files)) {
      const bytes = readFileSync(join(files, file));
      const ms = cpuTime(() => parseRobots(bytes).allows('ExampleBot', 'https://a.example/b?c=d'));
      expect(ms, file).toBeLessThan(20);
    }
  });
});
