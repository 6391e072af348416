import type { Writable } from 'node:stream';
import type { SchedulerLike } from 'rxjs';
import type { SignalSource } from './from-signal.js';
import type { SeedInput } from './open-seeds.js';

/** A stream that may be a terminal. */
export type Terminal = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The world, as the command sees it. `process` is one. */
export interface CliSystem extends SignalSource {
  readonly stdin: SeedInput;
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The clock of progress and time limits. Default: real time. */
  readonly scheduler?: SchedulerLike;
}
