import {
  catchError,
  defer,
  from as innerFrom,
  isObservable,
  last,
  map,
  of,
  switchMap,
  type Observable,
} from 'rxjs';
import { expectBoolean, expectFunction, expectString } from '../core/expect.js';
import { expectOptions } from '../core/expect-options.js';
import { isPromise } from '../core/is-promise.js';

/** Returned by a step that wants its item no further; made by {@link drop}. */
export class Dropped {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/**
 * Ends an item's way through a {@link pipeline}, with the reason that is reported.
 *
 * @throws TypeError for a reason that is no text
 */
export function drop(reason: string): Dropped {
  expectString('drop: reason', reason);
  return new Dropped(reason);
}

/** A step that failed. */
export interface StepError {
  /** Place of the step in the pipeline, from 0. */
  readonly step: number;
  readonly error: unknown;
}

/** What became of one item. `source` is the item as it came in. */
export type PipelineEvent<A, B> =
  | { readonly type: 'item'; readonly source: A; readonly item: B }
  | { readonly type: 'drop'; readonly source: A; readonly step: number; readonly reason: string }
  | { readonly type: 'error'; readonly source: A; readonly errors: readonly StepError[] };

/** Options of {@link pipeline}, given behind its steps. */
export interface PipelineOptions {
  /**
   * Whether the first step that fails is the last one of its item. Otherwise the others still
   * see the item as it was before, and all errors are reported. Default true.
   */
  readonly failFast?: boolean;
}

/** Runs one item through the steps. Emits exactly one event, and never errors. */
export type Pipeline<A, B> = (item: A) => Observable<PipelineEvent<A, B>>;

/** Takes an item; returns it, another one, nothing (which keeps it), or {@link drop}. */
export type Step<A, R> = (item: A) => R;

/** What a step that returned `R` hands to the next one, where it was given `A`. */
export type StepOutput<A, R> = [R] extends [Observable<infer V>]
  ? KeptOr<A, V>
  : KeptOr<A, Awaited<R>>;
type KeptOr<A, V> = V extends Dropped ? never : V extends NoResult ? A : V;
// A step that only looks returns nothing, and TypeScript calls that `void`.
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type
type NoResult = void | undefined;

/**
 * Makes a pipeline of items: each step gets what the one before returned. Steps are plain
 * functions, and may return promises or Observables (their last value counts). An item ends
 * as one event: through (`item`), dropped with a reason (`drop`), or failed (`error`);
 * whatever happens to it, other items are not touched.
 *
 * How many items are on their way at once is the choice of the operator that runs it, such as
 * `concatMap` or `mergeMap(…, 4)`.
 *
 * ```text
 * in:  a--b--c|     b is dropped, c fails
 * out: i--d--e|
 * ```
 *
 * @param steps - up to 5, then {@link PipelineOptions} if wanted
 * @throws TypeError if there is no step, or one is no function
 *
 * @example
 * ```ts
 * const clean = pipeline(
 *   (book: { title: string }) => ({ ...book, title: book.title.trim() }),
 *   (book) => (book.title === '' ? drop('no title') : book),
 * );
 * of({ title: ' Emma ' }, { title: '' }).pipe(concatMap(clean), passed()).subscribe(console.log);
 * // { title: 'Emma' }
 * ```
 */
export function pipeline<A, R1>(s1: Step<A, R1>, options?: PipelineOptions): Pipeline<A, O<A, R1>>;
export function pipeline<A, R1, R2>(
  s1: Step<A, R1>,
  s2: Step<O<A, R1>, R2>,
  options?: PipelineOptions,
): Pipeline<A, O<O<A, R1>, R2>>;
export function pipeline<A, R1, R2, R3>(
  s1: Step<A, R1>,
  s2: Step<O<A, R1>, R2>,
  s3: Step<O<O<A, R1>, R2>, R3>,
  options?: PipelineOptions,
): Pipeline<A, O<O<O<A, R1>, R2>, R3>>;
export function pipeline<A, R1, R2, R3, R4>(
  s1: Step<A, R1>,
  s2: Step<O<A, R1>, R2>,
  s3: Step<O<O<A, R1>, R2>, R3>,
  s4: Step<O<O<O<A, R1>, R2>, R3>, R4>,
  options?: PipelineOptions,
): Pipeline<A, O<O<O<O<A, R1>, R2>, R3>, R4>>;
export function pipeline<A, R1, R2, R3, R4, R5>(
  s1: Step<A, R1>,
  s2: Step<O<A, R1>, R2>,
  s3: Step<O<O<A, R1>, R2>, R3>,
  s4: Step<O<O<O<A, R1>, R2>, R3>, R4>,
  s5: Step<O<O<O<O<A, R1>, R2>, R3>, R4>, R5>,
  options?: PipelineOptions,
): Pipeline<A, O<O<O<O<O<A, R1>, R2>, R3>, R4>, R5>>;
export function pipeline<A>(
  ...args: readonly (Step<never, unknown> | PipelineOptions | undefined)[]
): Pipeline<A, unknown> {
  const given = args.filter((arg) => arg !== undefined);
  const end = given.at(-1);
  const options = typeof end === 'object' ? end : {};
  expectOptions<PipelineOptions>('pipeline', options, { failFast: expectBoolean });
  const steps = given.filter((arg): arg is AnyStep => arg !== options);
  if (steps.length === 0) throw new TypeError('pipeline: expected at least one step, got none');
  for (const [index, step] of steps.entries()) expectFunction(`pipeline: step ${index}`, step);
  const { failFast = true } = options;
  return (source) =>
    defer(() =>
      runSteps(steps, 0, { item: source, errors: [], dropped: undefined }, failFast),
    ).pipe(map((state) => eventOf(source, state)));
}
type O<A, R> = StepOutput<A, R>;
type AnyStep = (item: unknown) => unknown;

/** Where an item is on its way. */
interface State {
  readonly item: unknown;
  readonly errors: readonly StepError[];
  readonly dropped: { readonly step: number; readonly reason: string } | undefined;
}

/** Runs the steps from the given one on; in a plain loop as far as they are synchronous. */
function runSteps(
  steps: readonly AnyStep[],
  from: number,
  start: State,
  failFast: boolean,
): Observable<State> {
  let state = start;
  for (const [offset, step] of steps.slice(from).entries()) {
    if (state.dropped !== undefined || (failFast && state.errors.length > 0)) break;
    const index = from + offset;
    const before = state;
    try {
      const result = step(state.item);
      // Only these two: arrays and strings are items, although rxjs would take them for streams.
      if (isObservable(result) || isPromise(result)) {
        return innerFrom(result).pipe(
          last(null, undefined),
          map((value) => after(before, index, value)),
          catchError((error: unknown) => of(failed(before, index, error))),
          switchMap((next) => runSteps(steps, index + 1, next, failFast)),
        );
      }
      state = after(before, index, result);
    } catch (error) {
      state = failed(before, index, error);
    }
  }
  return of(state);
}

function after(state: State, step: number, result: unknown): State {
  if (result === undefined) return state;
  return result instanceof Dropped
    ? { ...state, dropped: { step, reason: result.reason } }
    : { ...state, item: result };
}

function failed(state: State, step: number, error: unknown): State {
  return { ...state, errors: [...state.errors, { step, error }] };
}

function eventOf<A>(source: A, { item, errors, dropped }: State): PipelineEvent<A, unknown> {
  if (errors.length > 0) return { type: 'error', source, errors };
  return dropped ? { type: 'drop', source, ...dropped } : { type: 'item', source, item };
}
