/** What a page asks of robots, by its `meta` elements and its `X-Robots-Tag` header. */
export interface RobotsDirectives {
  /** Do not list this page. */
  readonly noindex: boolean;
  /** Do not follow its links. */
  readonly nofollow: boolean;
}

/** Where the directives of a page stand. */
export interface RobotsSources {
  /** `meta` elements with a `name`; others than `robots` and the agent's own are ignored. */
  readonly metas?: Iterable<{ readonly name: string; readonly content: string }> | undefined;
  /** Values of `X-Robots-Tag` header fields, one by one or joined with commas. */
  readonly headers?: string | Iterable<string> | undefined;
  /** User agent, or only its product name: `examplebot/1.0 (+https://…)`. */
  readonly userAgent?: string | undefined;
}

/** Directives that have a value, and so look like the name of an agent. */
const WITH_VALUE = new Set([
  'unavailable_after',
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
]);

/**
 * Reads meta robots and `X-Robots-Tag` as the search engines have published them. Only commas
 * part directives; letter case does not matter; where several sources differ, the stricter
 * counts. In a header, `agent:` holds for what follows it, up to the next agent.
 *
 * @example
 * ```ts
 * robotsDirectives({ headers: 'otherbot: noindex', metas: [{ name: 'robots', content: 'none' }] });
 * // { noindex: true, nofollow: true }
 * ```
 */
export function robotsDirectives(sources: RobotsSources): RobotsDirectives {
  const agent = productName(sources.userAgent ?? '');
  const result = { noindex: false, nofollow: false };
  for (const { name, content } of sources.metas ?? []) {
    const who = name.trim().toLowerCase();
    if (who !== 'robots' && (agent === '' || who !== agent)) continue;
    for (const directive of content.split(',')) apply(directive, result);
  }
  const { headers = [] } = sources;
  for (const value of typeof headers === 'string' ? [headers] : headers) {
    let forUs = true;
    for (const part of value.split(',')) {
      const colon = part.indexOf(':');
      const name = colon === -1 ? '' : part.slice(0, colon).trim().toLowerCase();
      // The value of a directive that is not known here may be a number or a date.
      const hasValue = WITH_VALUE.has(name) || /^\s*-?\d/.test(part.slice(colon + 1));
      const isAgent = name !== '' && !hasValue && !/\s/.test(name);
      if (isAgent) forUs = name === '*' || (agent !== '' && name === agent);
      if (forUs) apply(isAgent ? part.slice(colon + 1) : part, result);
    }
  }
  return result;
}

function apply(directive: string, result: { noindex: boolean; nofollow: boolean }): void {
  switch (directive.trim().toLowerCase()) {
    case 'noindex':
      result.noindex = true;
      break;
    case 'nofollow':
      result.nofollow = true;
      break;
    case 'none':
      result.noindex = result.nofollow = true;
      break;
    default:
  }
}

function productName(userAgent: string): string {
  return /^[^\s/]*/.exec(userAgent.trim())?.[0].toLowerCase() ?? '';
}
