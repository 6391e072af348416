import { hostnameOfHref, withoutPort } from './href-parts.js';
import { checkDomainOptions, type RegistrableDomainOptions } from './registrable-domain.js';
import type { Scope } from '../core/index.js';
import { siteDomains } from './site-domain.js';

/**
 * Scope: all hosts of the seeds' registrable domains. An address, `localhost` or another single
 * label matches only itself; the port does not count.
 *
 * @example
 * ```ts
 * crawl({ scope: sameDomain() }); // from www.example.co.uk also blog.example.co.uk
 * ```
 */
export function sameDomain(options: RegistrableDomainOptions = {}): Scope {
  checkDomainOptions('sameDomain', options);
  const domainOf = siteDomains(options);
  // Seeds may come late, so the domains are made again when their number has changed.
  const cache = new WeakMap<ReadonlySet<string>, { size: number; domains: Set<string> }>();
  return (request, { seeds }) => {
    let entry = cache.get(seeds);
    if (entry?.size !== seeds.size) {
      const domains = Array.from(seeds, (seed) => domainOf(withoutPort(seed)));
      entry = { size: seeds.size, domains: new Set(domains) };
      cache.set(seeds, entry);
    }
    return entry.domains.has(domainOf(hostnameOfHref(request.url)));
  };
}
