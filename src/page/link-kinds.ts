import { expectList, show } from '../core/expect.js';

/**
 * What an attribute's value is: one URL, a list of image candidates, or URLs with blanks between.
 */
export type LinkValue = 'url' | 'srcset' | 'urls';

/**
 * What a link is for.
 *
 * | group | meaning | on by default |
 * | --- | --- | --- |
 * | `navigation` | leads to another page | yes |
 * | `metadata` | says something about this page: `canonical`, `alternate`, `next` … | yes |
 * | `resource` | is part of this page: images, styles, scripts, media | yes |
 * | `form` | where a form is sent | no |
 * | `citation` | `cite` and the like: URLs that no browser opens | no |
 * | `embedded` | URLs inside CSS or JSON-LD, which need a second parser | no |
 */
export type LinkGroup = 'navigation' | 'metadata' | 'resource' | 'form' | 'citation' | 'embedded';

/** The name of one kind of link: element and attribute, or a role. See {@link linkKinds}. */
export type LinkKind =
  | 'a[href]'
  | 'area[href]'
  | 'iframe[src]'
  | 'frame[src]'
  | 'meta[refresh]'
  | 'svg:a[href]'
  | 'svg:a[xlink:href]'
  | 'entry'
  | 'header[refresh]'
  | 'canonical'
  | 'alternate'
  | 'amphtml'
  | 'next'
  | 'prev'
  | 'header[link]'
  | 'link[href]'
  | 'link[imagesrcset]'
  | 'img[src]'
  | 'img[srcset]'
  | 'source[src]'
  | 'source[srcset]'
  | 'video[src]'
  | 'video[poster]'
  | 'audio[src]'
  | 'track[src]'
  | 'embed[src]'
  | 'object[data]'
  | 'script[src]'
  | 'input[src]'
  | 'body[background]'
  | 'svg:image[href]'
  | 'svg:image[xlink:href]'
  | 'svg:feimage[href]'
  | 'svg:feimage[xlink:href]'
  | 'svg:use[href]'
  | 'svg:use[xlink:href]'
  | 'svg:script[href]'
  | 'svg:script[xlink:href]'
  | 'enclosure'
  | 'table[background]'
  | 'td[background]'
  | 'th[background]'
  | 'bgsound[src]'
  | 'html[manifest]'
  | 'form[action]'
  | 'button[formaction]'
  | 'input[formaction]'
  | 'blockquote[cite]'
  | 'q[cite]'
  | 'ins[cite]'
  | 'del[cite]'
  | 'img[longdesc]'
  | 'a[ping]'
  | 'css[url]'
  | 'css[import]'
  | 'json-ld';

interface Row {
  readonly group: LinkGroup;
  readonly default: boolean;
  /** Element and attribute, where the kind is found by these two alone. */
  readonly at?: readonly [element: string, attribute: string, value?: LinkValue];
}

const on = (group: LinkGroup, ...at: readonly [] | NonNullable<Row['at']>): Row =>
  at.length === 0 ? { group, default: true } : { group, default: true, at };
const off = (group: LinkGroup, ...at: readonly [] | NonNullable<Row['at']>): Row => ({
  ...on(group, ...at),
  default: false,
});

/**
 * The table of everything that is a link. A kind is named after element and attribute, or
 * after the role that a `link` element has. Kinds that start with `svg:` are SVG elements.
 */
const TABLE: Readonly<Record<LinkKind, Row>> = {
  'a[href]': on('navigation', 'a', 'href'),
  'area[href]': on('navigation', 'area', 'href'),
  'iframe[src]': on('navigation', 'iframe', 'src'),
  'frame[src]': on('navigation', 'frame', 'src'),
  'meta[refresh]': on('navigation'),
  'svg:a[href]': on('navigation', 'svg:a', 'href'),
  'svg:a[xlink:href]': on('navigation', 'svg:a', 'xlink:href'),
  /** An entry of an RSS or Atom feed. */
  entry: on('navigation'),
  /** A `Refresh` header field. */
  'header[refresh]': on('navigation'),

  canonical: on('metadata'),
  alternate: on('metadata'),
  amphtml: on('metadata'),
  next: on('metadata'),
  prev: on('metadata'),
  /** A `Link` header field whose relation is none of the roles above. */
  'header[link]': on('metadata'),

  'link[href]': on('resource'),
  'link[imagesrcset]': on('resource', 'link', 'imagesrcset', 'srcset'),
  'img[src]': on('resource', 'img', 'src'),
  'img[srcset]': on('resource', 'img', 'srcset', 'srcset'),
  'source[src]': on('resource', 'source', 'src'),
  'source[srcset]': on('resource', 'source', 'srcset', 'srcset'),
  'video[src]': on('resource', 'video', 'src'),
  'video[poster]': on('resource', 'video', 'poster'),
  'audio[src]': on('resource', 'audio', 'src'),
  'track[src]': on('resource', 'track', 'src'),
  'embed[src]': on('resource', 'embed', 'src'),
  'object[data]': on('resource', 'object', 'data'),
  'script[src]': on('resource', 'script', 'src'),
  'input[src]': on('resource', 'input', 'src'),
  'body[background]': on('resource', 'body', 'background'),
  'svg:image[href]': on('resource', 'svg:image', 'href'),
  'svg:image[xlink:href]': on('resource', 'svg:image', 'xlink:href'),
  'svg:feimage[href]': on('resource', 'svg:feimage', 'href'),
  'svg:feimage[xlink:href]': on('resource', 'svg:feimage', 'xlink:href'),
  'svg:use[href]': on('resource', 'svg:use', 'href'),
  'svg:use[xlink:href]': on('resource', 'svg:use', 'xlink:href'),
  'svg:script[href]': on('resource', 'svg:script', 'href'),
  'svg:script[xlink:href]': on('resource', 'svg:script', 'xlink:href'),
  /** A file that a feed's entry brings with it. */
  enclosure: on('resource'),
  'table[background]': off('resource', 'table', 'background'),
  'td[background]': off('resource', 'td', 'background'),
  'th[background]': off('resource', 'th', 'background'),
  'bgsound[src]': off('resource', 'bgsound', 'src'),
  'html[manifest]': off('resource', 'html', 'manifest'),

  'form[action]': off('form', 'form', 'action'),
  'button[formaction]': off('form', 'button', 'formaction'),
  'input[formaction]': off('form', 'input', 'formaction'),

  'blockquote[cite]': off('citation', 'blockquote', 'cite'),
  'q[cite]': off('citation', 'q', 'cite'),
  'ins[cite]': off('citation', 'ins', 'cite'),
  'del[cite]': off('citation', 'del', 'cite'),
  'img[longdesc]': off('citation', 'img', 'longdesc'),
  'a[ping]': off('citation', 'a', 'ping', 'urls'),

  /** `url()` in a `style` element or attribute. */
  'css[url]': off('embedded'),
  /** `@import` in a `style` element. */
  'css[import]': off('embedded'),
  /** URLs in a `script` of type `application/ld+json`. */
  'json-ld': off('embedded'),
};

/** What {@link linkKinds} tells about one kind. */
export interface LinkKindInfo {
  readonly kind: LinkKind;
  readonly group: LinkGroup;
  /** Whether `extractLinks` reports it when no `kinds` are given. */
  readonly default: boolean;
  readonly element?: string;
  readonly attribute?: string;
  readonly value?: LinkValue;
}

/**
 * Every kind of link, in the order of the table in `docs/links.md`.
 *
 * @example
 * ```ts
 * linkKinds.filter((info) => info.group === 'form').map((info) => info.kind);
 * // [ 'form[action]', 'button[formaction]', 'input[formaction]' ]
 * ```
 */
export const linkKinds: readonly LinkKindInfo[] = Object.entries<Row>(TABLE).map(
  ([kind, { group, default: isDefault, at }]) => ({
    kind: kind as LinkKind,
    group,
    default: isDefault,
    ...(at && { element: at[0], attribute: at[1], value: at[2] ?? 'url' }),
  }),
);

/** Names a set of kinds: single kinds, whole groups, `default` and `all`. */
export type LinkKinds = readonly (LinkKind | LinkGroup | 'default' | 'all')[];

/**
 * The kinds that `page.follow()` follows when it is not told what: whatever leads a reader to
 * another page. Alternates, feeds and AMP copies say the same thing in another form, and are
 * left out.
 */
export const followableKinds: ReadonlySet<LinkKind> = new Set<LinkKind>([
  ...linkKinds.filter(({ group }) => group === 'navigation').map(({ kind }) => kind),
  'canonical',
  'next',
  'prev',
]);

/** Checks an option that names kinds of links. */
export function expectKinds(name: string, kinds: unknown): void {
  expectList(name, kinds);
  resolveKinds(kinds as LinkKinds, name);
}

/**
 * The kinds that a list names.
 *
 * @throws TypeError for a name that is neither a kind nor a group
 */
export function resolveKinds(kinds: LinkKinds, option = 'kinds'): ReadonlySet<LinkKind> {
  const result = new Set<LinkKind>();
  for (const name of kinds) {
    const matching = linkKinds.filter(
      (info) =>
        name === 'all' ||
        info.kind === name ||
        info.group === name ||
        (name === 'default' && info.default),
    );
    if (matching.length === 0) {
      throw new TypeError(
        `${option}: expected kinds of links such as "a[href]", groups such as "resource", "default" or "all", got ${show(name)}`,
      );
    }
    for (const { kind } of matching) result.add(kind);
  }
  return result;
}
