import { hostnameOfHref } from './href-parts.js';
import { checkDomainOptions, type RegistrableDomainOptions } from './registrable-domain.js';
import { siteDomains } from './site-domain.js';

/**
 * A politeness key for `crawl({ hostKey })`: all hosts of one registrable domain share their
 * limits, because they often share a server. An address or a single label stands for itself.
 *
 * @example
 * ```ts
 * const hostKey = hostKeyByDomain();
 * hostKey('https://a.shop.example.org/x'); // 'example.org'
 * ```
 */
export function hostKeyByDomain(options: RegistrableDomainOptions = {}): (url: string) => string {
  checkDomainOptions('hostKeyByDomain', options);
  const domainOf = siteDomains(options);
  return (url) => domainOf(hostnameOfHref(url));
}
