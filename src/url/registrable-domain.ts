import { getDomain } from 'tldts';
import { expectBoolean } from '../core/expect.js';
import { expectOptions } from '../core/expect-options.js';

/** What {@link registrableDomain} takes besides the host. */
export interface RegistrableDomainOptions {
  /**
   * Whether the private part of the public suffix list counts, so that `a.github.io` and
   * `b.github.io` are two domains. Default true.
   */
  readonly privateSuffixes?: boolean;
}

/**
 * The part of a host name that somebody registered: one label more than its public suffix
 * (publicsuffix.org). `undefined` for addresses, single labels and public suffixes themselves.
 *
 * @param host - host name without port, in Unicode or Punycode, any case
 *
 * @example
 * ```ts
 * registrableDomain('docs.example.co.uk'); // 'example.co.uk'
 * registrableDomain('localhost'); // undefined
 * ```
 */
export function registrableDomain(
  host: string,
  options: RegistrableDomainOptions = {},
): string | undefined {
  const allowPrivateDomains = options.privateSuffixes ?? true;
  const name = (host.endsWith('.') ? host.slice(0, -1) : host).toLowerCase();
  // A leading dot is no host; tldts forgives it.
  if (name.startsWith('.')) return undefined;
  return (
    getDomain(name, { allowPrivateDomains, extractHostname: false, validateHostname: false }) ??
    undefined
  );
}

/** @param owner - names the options in the message */
export function checkDomainOptions(owner: string, options: RegistrableDomainOptions): void {
  expectOptions(owner, options, { privateSuffixes: expectBoolean });
}
