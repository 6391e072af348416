import { concatMap, of, type Observable } from 'rxjs';
import { expectTypeOf, test } from 'vitest';
import { drop, passed, pipeline, type Pipeline } from '../../src/items/index.js';

test('types are inferred through all steps', () => {
  const run = pipeline(
    (item: { title: string }) => ({ ...item, words: item.title.split(' ') }),
    (item) => {
      expectTypeOf(item).toEqualTypeOf<{ words: string[]; title: string }>();
    },
    async (item) => Promise.resolve(item.words.length),
    (count) => (count > 0 ? of(String(count)) : of(count)),
    (value) => (value === '' ? drop('empty') : value),
  );
  expectTypeOf(run).toEqualTypeOf<Pipeline<{ title: string }, string | number>>();
  const items$ = of({ title: 'a' }).pipe(concatMap(run), passed());
  expectTypeOf(items$).toEqualTypeOf<Observable<string | number>>();
});

test('options come last', () => {
  const run = pipeline((n: number) => n > 1, { failFast: false });
  expectTypeOf(run).toEqualTypeOf<Pipeline<number, boolean>>();
});

test('a step must take what the one before gives', () => {
  const shout = (text: string) => text.toUpperCase();
  // @ts-expect-error -- a number is no text
  pipeline((n: number) => n, shout);
});
