import { concatMap, from, type Observable, of, type OperatorFunction } from 'rxjs';
import { CrawlError } from './errors.js';
import type { CrawlEvent, ItemEvent, ItemFailureEvent } from './events.js';
import { show } from './expect.js';
import { messageOf } from './message-of.js';
import type { BarePage } from './page.js';
import { isPromise } from './is-promise.js';

/**
 * A schema that follows Standard Schema 1, as those of zod, valibot, arktype and others do.
 *
 * @see https://standardschema.dev
 */
export interface Schema<Out = unknown, In = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Out> | Promise<SchemaResult<Out>>;
    readonly types?: { readonly input: In; readonly output: Out } | undefined;
  };
}

/** What a {@link Schema} says of a value: the value as it shall be used, or what is wrong with it. */
export type SchemaResult<Out> =
  | { readonly value: Out; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One thing that is wrong with a value. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * Checks the items of a crawl by a schema, and replaces them by what it makes of them. A bad
 * item becomes an `item-failure` event: its page, the other items and the crawl go on. Items
 * keep their order, also where the schema takes its time.
 *
 * ```text
 * events: -s-p-i-j-d|     i a good item, j a bad one
 * result: -s-p-i-x-d|     x item-failure
 * ```
 *
 * @throws TypeError if it is given no such schema
 *
 * @example
 * ```ts
 * import { z } from 'zod';
 *
 * const Book = z.object({ title: z.string().min(1), price: z.coerce.number() });
 * crawl({ handle })('https://books.example/')
 *   .pipe(validate(Book), items())
 *   .subscribe((book) => console.log(book.price.toFixed(2)));
 * ```
 */
export function validate<Out, P extends BarePage = BarePage>(
  schema: Schema<Out>,
): OperatorFunction<CrawlEvent<unknown, P>, CrawlEvent<Out, P>> {
  const check = checkItem(schema);
  return (events$) =>
    events$.pipe(
      concatMap((event): Observable<CrawlEvent<Out, P>> => {
        if (event.type !== 'item') return of(event);
        const { request, item } = event;
        const good = (checked: Out): ItemEvent<Out> => ({ type: 'item', request, item: checked });
        const bad = (error: CrawlError): ItemFailureEvent => ({
          type: 'item-failure',
          request,
          item,
          error,
        });
        try {
          const checked = check(item);
          return isPromise(checked)
            ? from(checked.then(good, (error: unknown) => bad(error as CrawlError)))
            : of(good(checked));
        } catch (error) {
          return of(bad(error as CrawlError));
        }
      }),
    );
}

/**
 * The check of {@link validate} as a function of one item: a step of a pipeline, or part of a
 * handler.
 *
 * @returns a function that gives the item as the schema makes it, or a promise of it if the
 * schema is asynchronous; throws, or rejects with, a `CrawlError` `item-invalid`
 * @throws TypeError if it is given no such schema
 *
 * @example
 * ```ts
 * const clean = pipeline(checkItem(Book), (book) => ({ ...book, price: book.price * 1.2 }));
 * ```
 */
export function checkItem<Out, In>(schema: Schema<Out, In>): (item: unknown) => Out | Promise<Out> {
  const standard = (schema as Partial<Schema<Out, In>> | null | undefined)?.['~standard'];
  if (typeof standard?.validate !== 'function') {
    throw new TypeError(`validate: expected a Standard Schema, got ${show(schema)}`);
  }
  return (item) => {
    const result = attempt(() => standard.validate(item));
    return isPromise(result)
      ? result.then(
          (given) => accepted(given),
          (cause: unknown) => {
            throw broken(cause);
          },
        )
      : accepted(result);
  };
}

function attempt<R>(act: () => R): R {
  try {
    return act();
  } catch (cause) {
    throw broken(cause);
  }
}

function broken(cause: unknown): CrawlError {
  return new CrawlError('item-invalid', `the schema threw: ${messageOf(cause)}`, { cause });
}

function accepted<Out>(result: SchemaResult<Out>): Out {
  if (!result.issues) return result.value;
  const { issues } = result;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  const first = issues[0] ? describe(issues[0]) : 'it does not say why';
  throw new CrawlError('item-invalid', `invalid item: ${first}${more}`, {
    cause: issues,
    detail: { issues: issues.length },
  });
}

function describe({ message, path }: SchemaIssue): string {
  if (path === undefined || path.length === 0) return message;
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
  return `${keys.join('.')}: ${message}`;
}
