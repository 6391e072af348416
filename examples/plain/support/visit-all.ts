// The least that a crawl needs without a crawler: a queue, the URLs that were seen, and a pool.

import { type CheerioAPI, load } from 'cheerio/slim';

/** What is done with an answer; it gives what is to be asked for next. */
export type Visit = (response: Response) => Promise<readonly Task[]>;

export interface Task {
  readonly url: string;
  readonly visit: Visit;
}

/** Does a task and all that it leads to, each URL once, `concurrency` at a time. */
export async function visitAll(first: Task, concurrency: number): Promise<void> {
  const queue = [first];
  const seen = new Set([first.url]);
  const running = new Set<Promise<void>>();

  const run = async ({ url, visit }: Task): Promise<void> => {
    const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    for (const task of await visit(response)) {
      if (seen.has(task.url)) continue;
      seen.add(task.url);
      queue.push(task);
    }
  };

  for (let next = 0; next < queue.length || running.size > 0;) {
    while (next < queue.length && running.size < concurrency) {
      const task = queue[next++] as Task;
      const visit = run(task)
        .catch((error: unknown) => console.warn(task.url, error)) // and go on with the others
        .finally(() => running.delete(visit));
      running.add(visit);
    }
    await Promise.race(running);
  }
}

export interface Page {
  readonly $: CheerioAPI;
  /** Tasks for the links that match a selector. */
  readonly follow: (selector: string, visit: Visit) => Task[];
}

export async function readPage(response: Response): Promise<Page> {
  const $ = load(await response.text());
  const follow: Page['follow'] = (selector, visit) =>
    $(selector)
      .toArray()
      .map((element) => $(element).attr('href') ?? $(element).attr('src') ?? '')
      .filter((href) => URL.canParse(href, response.url))
      .map((href) => new URL(href, response.url))
      .map(({ origin, pathname, search }) => ({ url: origin + pathname + search, visit }));
  return { $, follow };
}
