import { expect, it } from 'vitest';
import { chosenWorkers } from '../../examples/chosen-workers.js';
import { withMagazine } from '../../examples/support/made-up-sites.js';

it('chosen-workers reads articles as a guest and comments as a member', async () => {
  await withMagazine(async (site) => {
    const texts = await chosenWorkers(site);
    const numbers = Array.from({ length: 9 }, (_, index) => index + 1);
    expect(texts.toSorted((a, b) => a.title.localeCompare(b.title))).toEqual([
      ...numbers.map((no) => ({ title: `Article ${no}`, reader: 'guest' })),
      ...numbers.map((no) => ({ title: `Comments on ${no}`, reader: 'member' })),
    ]);
    expect(site.asked).toHaveLength(19);
  });
});
