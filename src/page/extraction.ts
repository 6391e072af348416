import type { CheerioAPI } from 'cheerio/slim';

/** One value to take: a selector, or a selector and what to take of its element. */
export interface ExtractDescriptor {
  readonly selector: string;
  /**
   * Name of an attribute or property, a function of the element, or a map for values inside it.
   * Default: the text.
   */
  readonly value?: string | ((element: never, key: string) => unknown) | ExtractMap;
}

/** One value, or all of them when in a list of one. */
export type ExtractValue =
  string | ExtractDescriptor | readonly [string] | readonly [ExtractDescriptor];

/** Which values to take: names and selectors. */
// eslint-disable-next-line @typescript-eslint/consistent-indexed-object-style -- it holds itself
export interface ExtractMap {
  readonly [name: string]: ExtractValue;
}

/** What {@link ExtractMap} gives. */
export type Extracted<M extends ExtractMap> = { -readonly [K in keyof M]: ExtractedValue<M[K]> };

/** What one {@link ExtractValue} gives. */
export type ExtractedValue<V> = V extends readonly [infer One]
  ? NonNullable<ExtractedValue<One>>[]
  : V extends { readonly value: infer W }
    ? W extends (...parts: never) => infer R
      ? R | undefined
      : W extends ExtractMap
        ? Extracted<W> | undefined
        : string | undefined
    : string | undefined;

/**
 * Values from a document, by cheerio's own `extract`.
 *
 * @example
 * ```ts
 * extract($, { title: 'h1', prices: ['.price'], link: { selector: 'a', value: 'href' } });
 * // { title: 'Books', prices: ['1.00', '2.50'], link: '/next' }
 * ```
 */
export function extract<const M extends ExtractMap>($: CheerioAPI, map: M): Extracted<M> {
  const all = $.root() as unknown as { extract(map: ExtractMap): unknown };
  return all.extract(map) as Extracted<M>;
}
