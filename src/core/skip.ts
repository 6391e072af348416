import type { SkipEvent } from './events.js';
import { withoutUserInfo } from './public-url.js';
import type { CrawlRequest } from './request.js';
import type { SkipReason } from './skip-reason.js';

interface SkipDetails {
  readonly started?: boolean;
  readonly detail?: string | undefined;
}

/** The `skip` that ends an admitted request, while it waits or after its start. */
export function skipRequest(
  request: CrawlRequest,
  reason: SkipReason,
  { started = false, detail }: SkipDetails = {},
): SkipEvent {
  const { url, referrer, depth } = request;
  return {
    type: 'skip',
    url: withoutUserInfo(url),
    reason,
    detail,
    referrer: referrer && withoutUserInfo(referrer),
    depth,
    admitted: true,
    started,
    count: 1,
  };
}
