import { filter, map, type OperatorFunction } from 'rxjs';
import type { PipelineEvent } from './pipeline.js';

/**
 * The items that came through a pipeline.
 *
 * ```text
 * events: -i-d-e-i|     i item, d drop, e error
 * items:  -i-----i|
 * ```
 *
 * @example
 * ```ts
 * items$.pipe(concatMap(clean), passed()).subscribe((item) => console.log(item));
 * ```
 */
export function passed<A, B>(): OperatorFunction<PipelineEvent<A, B>, B> {
  return (events$) =>
    events$.pipe(
      filter((event) => event.type === 'item'),
      map((event) => event.item),
    );
}
