import { BlockList, isIP } from 'node:net';
import type { CrawlRequest } from '../core/index.js';
import { parseProxy } from './parse-proxy.js';

/** Variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An entry of `no_proxy`. */
interface Exception {
  /** With a leading dot where it stands for subdomains alone. */
  readonly host: string;
  readonly port: string | undefined;
}

/**
 * Chooses proxies as the environment says, by the rules that curl and most other tools share:
 * `http_proxy` for `http:` URLs, `https_proxy` for `https:` URLs, `all_proxy` for both, and
 * `no_proxy`, a list of hosts that are asked directly. A host in that list stands for its
 * subdomains, too; a port may follow it; `*` is all hosts; `10.0.0.0/8` or `fd00::/8` are all hosts
 * that are addresses of that network (no name is looked up for it). Names may be in upper case, but for
 * `HTTP_PROXY`: in a CGI script it is a header that a client has sent (CVE-2016-5385).
 *
 * The environment is read once, now.
 *
 * @param env - default `process.env`
 * @returns a function for the option `proxy`
 * @throws TypeError that names the variable if one is no URL of a proxy, or a network cannot be read
 *
 * @example
 * ```ts
 * const proxy = proxyFromEnv({ https_proxy: 'http://proxy.example:3128', no_proxy: 'intranet.example' });
 * proxy(request('https://www.intranet.example/')); // undefined
 * ```
 */
export function proxyFromEnv(
  env: Environment = process.env,
): (request: CrawlRequest) => string | undefined {
  const all = read(env, 'all_proxy') ?? read(env, 'ALL_PROXY');
  const http = read(env, 'http_proxy') ?? all;
  const https = read(env, 'https_proxy') ?? read(env, 'HTTPS_PROXY') ?? all;
  const entries = (env['no_proxy'] ?? env['NO_PROXY'] ?? '')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
  const networks = networksOf(entries.filter((entry) => NETWORK.test(entry)));
  const exceptions = entries.filter((entry) => !NETWORK.test(entry)).map(exceptionOf);

  return ({ url: href }) => {
    const url = new URL(href);
    const proxy = url.protocol === 'http:' ? http : https;
    if (proxy === undefined) return undefined;
    const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    const isDirect =
      exceptions.some((exception) => isFor(exception, url, host)) ||
      (isIP(host) !== 0 && networks.check(host, familyOf(host)));
    return isDirect ? undefined : proxy;
  };
}

function read(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  if (value === undefined || value === '') return undefined;
  // Many set no scheme; curl takes that for http.
  const text = value.includes('://') ? value : `http://${value}`;
  parseProxy(`environment variable ${name}`, text);
  return text;
}

/** Networks in CIDR notation, and IPv6 addresses, which have many spellings. */
const NETWORK = /^(?:[\d.]+\/.*|[\da-f:.]*:[\da-f:.]*:[\da-f:.]*(?:\/.*)?)$/i;

function networksOf(entries: readonly string[]): BlockList {
  const networks = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/', 2);
    const longest = isIP(address) === 4 ? 32 : 128;
    const length = bits === undefined ? longest : Number(bits);
    if (isIP(address) === 0 || !/^\d+$/.test(bits ?? '0') || length > longest) {
      throw new TypeError(
        `environment variable no_proxy: expected a network such as "10.0.0.0/8", got ${JSON.stringify(entry)}`,
      );
    }
    networks.addSubnet(address, length, familyOf(address));
  }
  return networks;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

function exceptionOf(entry: string): Exception {
  const lower = entry.toLowerCase().replace(/^\*\./, '.');
  const [, host = lower, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(lower) ?? [];
  return { host: host.replace(/^\[|\]$/g, ''), port };
}

function isFor({ host, port }: Exception, url: URL, name: string): boolean {
  if (port !== undefined && port !== (url.port || (url.protocol === 'http:' ? '80' : '443'))) {
    return false;
  }
  if (host === '*') return true;
  return name === host || name.endsWith(host.startsWith('.') ? host : `.${host}`);
}
