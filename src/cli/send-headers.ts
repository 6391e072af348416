import { type FetcherDecorator, withRequest } from '../index.js';
import { isSecretHeader } from './mask-secrets.js';

/** The header fields of `-H`, and who gets them. */
export interface SentHeaders {
  /** Adds the fields to each request that may have them; its own fields go before. */
  readonly decorator: FetcherDecorator;
  /** Makes the origin of a seed one that gets secrets. What is no URL has none. */
  readonly trust: (seed: string) => void;
}

/**
 * Header fields for a whole crawl: those whose name speaks of a secret, such as `authorization`
 * or `x-api-key`, go to the origins of seeds alone, also over redirects; all others to every host.
 *
 * @param headers - by names in lower case
 */
export function sendHeaders(headers: Readonly<Record<string, string>>): SentHeaders {
  const fields = Object.entries(headers);
  const open = Object.fromEntries(fields.filter(([name]) => !isSecretHeader(name)));
  const origins = new Set<string>();
  return {
    trust: (seed) => {
      if (URL.canParse(seed)) origins.add(new URL(seed).origin);
    },
    decorator: (fetcher) => {
      if (fields.length === 0) return fetcher;
      return (request, context) => {
        const fitting = origins.has(new URL(request.url).origin) ? headers : open;
        const merged = { ...fitting, ...request.headers };
        return fetcher(withRequest(request, { headers: merged }), context);
      };
    },
  };
}
