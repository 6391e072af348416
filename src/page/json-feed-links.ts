import type { FeedLink } from './feed-links.js';

/** Longer feeds (characters) are not read: all of a feed is parsed at one go. */
const MAX_LENGTH = 2_000_000;
const VERSION = /^https?:\/\/(?:www\.)?jsonfeed\.org\/version\//;

/**
 * The links of a JSON Feed (jsonfeed.org, version 1.1): one for each item, which is its `url`,
 * else its `external_url`, else an `id` that is a URL, and its attachments, in document order.
 * What is no such feed, or is longer than 2,000,000 characters, has none.
 *
 * @param json - the decoded text
 */
export function jsonFeedLinks(json: string): FeedLink[] {
  const feed = json.length > MAX_LENGTH ? undefined : parsed(json);
  if (!isObject(feed) || !VERSION.test(textOf(feed['version']))) return [];
  const links: FeedLink[] = [];
  for (const item of listOf(feed['items'])) {
    if (!isObject(item)) continue;
    const title = textOf(item['title']);
    const id = textOf(item['id']);
    const url =
      textOf(item['url']) || textOf(item['external_url']) || (/^https?:\/\//i.test(id) ? id : '');
    if (url !== '') links.push({ url, kind: 'entry', title });
    for (const attachment of listOf(item['attachments'])) {
      const file = isObject(attachment) ? textOf(attachment['url']) : '';
      if (file !== '') links.push({ url: file, kind: 'enclosure', title });
    }
  }
  return links;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
