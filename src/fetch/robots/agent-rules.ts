import { Buffer } from 'node:buffer';
import { indexOf } from './index-of.js';
import { comparablePath, comparablePattern, robotsPath } from './robots-path.js';

/** One `Allow` or `Disallow` line. */
export interface RobotsRule {
  readonly allow: boolean;
  /** The pattern as it is compared: octets outside ASCII percent-encoded, case of %XX unified. */
  readonly pattern: string;
  /** Line of the file, from 1. */
  readonly line: number;
}

/** What a robots.txt says to one crawler. Keeps nothing of the file but this. */
export interface AgentRules {
  /** Whether the URL (absolute, or path with query) may be fetched. */
  allows(url: string): boolean;
  /** The rule that decides about the URL; `undefined` where none matches, so it is allowed. */
  ruleFor(url: string): RobotsRule | undefined;
  /** The `Crawl-delay` for this crawler, ms; the largest where there are several. */
  readonly crawlDelay: number | undefined;
}

/** A rule as it stands in the file: the value's octets, one character each. */
export interface RawRule {
  readonly allow: boolean;
  readonly value: string;
  readonly line: number;
}

const NONE: readonly string[] = [];

class Rule implements RobotsRule {
  readonly allow: boolean;
  readonly pattern: string;
  readonly line: number;
  /** What the path must begin with. */
  readonly #prefix: string;
  /** The prefix is all there is, and all there may be. */
  readonly #exact: boolean;
  /** What must follow, each behind the one before. */
  readonly #parts: readonly string[];
  /** What the path must end with, behind all parts. */
  readonly #suffix: string;

  constructor({ allow, value, line }: RawRule) {
    const anchored = value.endsWith('$');
    const text = flat(comparablePattern(anchored ? value.slice(0, -1) : value));
    this.allow = allow;
    this.line = line;
    this.pattern = anchored ? `${text}$` : text;
    const [prefix = '', ...parts] = text.includes('*') ? text.split('*') : [text];
    this.#prefix = prefix;
    this.#exact = anchored && parts.length === 0;
    this.#suffix = anchored ? (parts.pop() ?? '') : '';
    this.#parts = parts.length === 0 ? NONE : parts.filter((part) => part !== '');
  }

  /**
   * Linear in the path for each part: each is looked for once, behind the one before. Taking the
   * first place is right, because it leaves the most room for those that follow.
   */
  matches(path: string): boolean {
    if (!path.startsWith(this.#prefix)) return false;
    let at = this.#prefix.length;
    if (this.#exact) return path.length === at;
    // First, because it costs least.
    if (!path.endsWith(this.#suffix)) return false;
    for (const part of this.#parts) {
      const found = indexOf(path, part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return at + this.#suffix.length <= path.length;
  }
}

/** Builds the rules of one crawler out of all blocks of the file that name it. */
export function agentRules(raw: Iterable<RawRule>, crawlDelay: number | undefined): AgentRules {
  const rules: Rule[] = [];
  for (const rule of raw) if (rule.value !== '') rules.push(new Rule(rule));
  // The first match decides: longest pattern first, and allow before disallow.
  rules.sort((a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow));
  const ruleFor = (url: string): RobotsRule | undefined => {
    if (rules.length === 0) return undefined;
    const path = comparablePath(robotsPath(url));
    if (path === '/robots.txt') return undefined;
    return rules.find((rule) => rule.matches(path));
  };
  return { ruleFor, allows: (url) => ruleFor(url)?.allow ?? true, crawlDelay };
}

/** A copy that does not keep the text alive that it was cut from. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
