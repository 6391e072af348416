import type { Observable } from 'rxjs';
import { describe, expectTypeOf, it } from 'vitest';
import {
  crawl,
  items,
  on,
  otherwise,
  routes,
  validate,
  type Page,
  type Schema,
} from '../../src/index.js';
import type { PatternParams } from '../../src/index.js';
import type { VirtualPage } from '../../src/testing/index.js';

describe('types of routes', () => {
  it('know the parts of a pattern', () => {
    on('/city/:name/page/:no', (_page, { params }) => {
      expectTypeOf(params).toEqualTypeOf<Readonly<Record<'name' | 'no', string>>>();
    });
    on('https://*.example:8080/:a_1', (_page, { params }) => {
      expectTypeOf(params).toEqualTypeOf<Readonly<Record<'a_1', string>>>();
    });
    on('/plain' as string, (_page, { params }) => {
      expectTypeOf(params).toEqualTypeOf<PatternParams>();
    });
  });

  it('know the page', () => {
    on('/a', (page) => {
      expectTypeOf(page).toEqualTypeOf<Page>();
    });
  });

  it('are those of all items together, without requests', () => {
    const handle = routes(
      on('/city/:name', function* (page, { params }) {
        yield page.follow();
        yield { city: params.name };
      }),
      on({ label: 'user' }, (page) => [{ user: page.title }]),
      otherwise((page) => page.follow()),
    );
    const items$ = crawl({ handle })('https://a.example/').pipe(items());
    expectTypeOf(items$).toEqualTypeOf<
      Observable<{ city: string } | { user: string | undefined }>
    >();
  });

  it('go through with options, other pages and schemas', () => {
    const handle = routes(
      on('/a', (page: VirtualPage) => [page.links.length]),
      { match: 'all' },
    );
    expectTypeOf(handle).parameter(0).toEqualTypeOf<VirtualPage>();

    const schema = {} as Schema<{ price: number }>;
    const checked$ = crawl({ handle: () => [{ price: '1' }] })('https://a.example/').pipe(
      validate(schema),
      items(),
    );
    expectTypeOf(checked$).toEqualTypeOf<Observable<{ price: number }>>();
  });
});
