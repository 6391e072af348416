import type { PageEvent } from '../index.js';
import { withoutUserInfo } from './mask-secrets.js';
import type { CliPage, PageFieldName, PageRecord } from './records.js';

/** What a field of a page record holds, and where it comes from. */
interface PageField<V> {
  readonly about: string;
  readonly read: (event: PageEvent<CliPage>) => V;
}

/** The fields of a `page` record, in the order in which they are written. */
export const PAGE_FIELDS: { readonly [N in PageFieldName]: PageField<PageRecord[N]> } = {
  url: {
    about: 'URL as it was requested',
    read: ({ request }) => withoutUserInfo(request.url),
  },
  finalUrl: {
    about: 'URL that answered, after redirects',
    read: ({ page }) => withoutUserInfo(page.url),
  },
  status: { about: 'HTTP status', read: ({ page }) => page.status },
  depth: { about: 'link hops from a seed', read: ({ request }) => request.depth },
  referrer: {
    about: 'page that the URL was found on; null for a seed',
    read: ({ request }) =>
      request.referrer === undefined ? null : withoutUserInfo(request.referrer),
  },
  contentType: {
    about: 'media type of the answer; null if it named none',
    read: ({ page }) => page.contentType ?? null,
  },
  bytes: { about: 'size of the decoded body', read: ({ page }) => page.bytes.length },
  ms: {
    about: 'milliseconds from the start to the whole body',
    read: ({ ms }) => Math.round(ms),
  },
  title: {
    about: 'title of the page; null if it has none',
    read: ({ page }) => page.title ?? null,
  },
  links: { about: 'number of links on the page', read: ({ page }) => page.links.length },
};

/** Whether `--fields` may name this. */
export function isPageField(name: string): name is PageFieldName {
  return Object.hasOwn(PAGE_FIELDS, name);
}
