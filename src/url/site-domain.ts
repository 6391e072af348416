import { registrableDomain, type RegistrableDomainOptions } from './registrable-domain.js';

/** Hosts whose domain is kept at once; the list takes 1 µs to search, and hosts come in runs. */
const KEPT = 4096;

/**
 * Makes a function from a host name to the domain that stands for it: its registrable domain, or
 * for an address, a single label or a public suffix the host itself.
 */
export function siteDomains(options: RegistrableDomainOptions = {}): (host: string) => string {
  const known = new Map<string, string>();
  return (host) => {
    let domain = known.get(host);
    if (domain === undefined) {
      if (known.size >= KEPT) known.clear();
      domain = registrableDomain(host, options) ?? host;
      known.set(host, domain);
    }
    return domain;
  };
}
