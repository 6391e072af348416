import { expectString } from '../core/expect.js';
import { listOf } from '../core/expect-options.js';
import { hostOf, type Scope } from '../core/index.js';
import { withoutPort } from './href-parts.js';
import { tryParseUrl } from './parse-url.js';

/**
 * Scope: these hosts, whatever the seeds are. A name with a port means that port alone, a name
 * without one any port. `*.example.org` means all hosts below `example.org`, not itself.
 *
 * @throws TypeError for a name that is no host
 *
 * @example
 * ```ts
 * crawl({ scope: hosts('example.org', '*.example.org', 'localhost:8080') });
 * ```
 */
export function hosts(...names: readonly string[]): Scope {
  const exact = new Set<string>();
  const below: string[] = [];
  listOf(expectString)('hosts', names);
  for (const name of names) {
    const wild = name.startsWith('*.');
    const host = hostFrom(wild ? name.slice(2) : name);
    if (host === undefined) {
      throw new TypeError(
        `hosts: expected a host such as "example.org", "*.example.org" or "example.org:8080", got ${JSON.stringify(name)}`,
      );
    }
    if (wild) below.push(`.${host}`);
    else exact.add(host);
  }
  return ({ url }) => {
    const host = hostOf(url);
    const name = withoutPort(host);
    if (exact.has(host) || exact.has(name)) return true;
    return below.some((suffix) => host.endsWith(suffix) || name.endsWith(suffix));
  };
}

/** The host as it stands in `URL.href`, with its port if one was named. */
function hostFrom(name: string): string | undefined {
  if (name === '' || /[\s/\\?#@*]/.test(name)) return undefined;
  const url = tryParseUrl(`http://${name}/`);
  if (url === undefined) return undefined;
  // Default ports are not written in URLs, so a name with one means the plain host.
  return url.host.endsWith(':443') ? url.hostname : url.host;
}
