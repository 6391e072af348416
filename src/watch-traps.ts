import type { BarePage, GuardFactory, Parse } from './core/index.js';
import { contentHash } from './page/index.js';
import { trapGuards, type TrapOptions } from './url/index.js';

/** The trap guards of one crawl. */
export interface TrapWatch {
  readonly guard: GuardFactory;
  /** Makes a parser that also tells the guards what each page of HTML says. */
  readonly observing: <P extends BarePage>(parse: Parse<P>) => Parse<P>;
}

/**
 * Makes trap guards that see the pages of their crawl. The text of a page is hashed only where
 * its URL is one of several of a pattern, see `TrapGuard.observe`.
 *
 * @throws RangeError or TypeError that names the option that is wrong
 */
export function watchTraps(options: TrapOptions): () => TrapWatch {
  const makeGuard = trapGuards(options);
  return () => {
    const guard = makeGuard();
    return {
      guard: () => guard,
      observing: (parse) => (response, request) => {
        const type = response.headers['content-type'];
        const isHtml = type === undefined || String(type).includes('html');
        if (isHtml && response.file === undefined) {
          guard.observe(request.url, () => contentHash(response.body));
        }
        return parse(response, request);
      },
    };
  };
}
