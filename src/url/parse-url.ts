import { InvalidUrlError, type UrlProblem } from './invalid-url-error.js';

/** Longest piece of a bad URL that is quoted in a message, characters. */
const QUOTED = 100;

/**
 * Parses a URL by the WHATWG URL Standard, as a browser does. Any string is safe to give: it is
 * parsed in linear time, and what is no URL gives one typed error with the reason.
 *
 * @param input - the text, absolute, or relative if there is a base
 * @param base - what a relative text is resolved against
 * @throws InvalidUrlError if the text is no URL; its `reason` says why
 *
 * @example
 * ```ts
 * parseUrl('../b?x=1', 'https://h.example/a/c/').href; // 'https://h.example/a/b?x=1'
 * ```
 */
export function parseUrl(input: string, base?: string | URL): URL {
  const url = tryParseUrl(input, base);
  if (url !== undefined) return url;
  const reason = problemOf(input, base);
  throw new InvalidUrlError(reason, `${EXPLAINED[reason]}: ${quote(input)}`);
}

/** As {@link parseUrl}, but gives `undefined` for what is no URL. */
export function tryParseUrl(input: string, base?: string | URL): URL | undefined {
  try {
    return new URL(input, base);
  } catch {
    return undefined;
  }
}

const EXPLAINED: Readonly<Record<UrlProblem, string>> = {
  relative: 'expected an absolute URL such as "https://example.org/", got',
  base: 'the base URL is no absolute URL, so this cannot be resolved',
  host: 'the URL has no valid host',
  port: 'the URL has no valid port',
};

/** Only runs once the parser has refused, so it may look at the text in its own simple way. */
function problemOf(input: string, base: string | URL | undefined): UrlProblem {
  const text = input
    .slice(0, 4096)
    .replace(/[\t\n\r]/g, '')
    .trimStart();
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) {
    if (base === undefined) return 'relative';
    if (tryParseUrl(String(base)) === undefined) return 'base';
  }
  const authority = /^[^/\\]*[/\\]+([^/\\?#]*)/.exec(text)?.[1] ?? '';
  const port = /:([^:\]]*)$/.exec(authority.slice(authority.lastIndexOf('@') + 1))?.[1];
  const bad = port !== undefined && !(/^\d*$/.test(port) && Number(port) <= 65535);
  return bad ? 'port' : 'host';
}

/** A short form for messages, without the secrets that may stand before an `@`. */
function quote(input: string): string {
  const cut = input.slice(0, 2048).replace(/\/\/[^/?#]*@/, '//');
  return JSON.stringify(cut.length > QUOTED ? `${cut.slice(0, QUOTED)}…` : cut);
}
