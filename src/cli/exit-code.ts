/** How the command ends. Failures of single pages do not change the exit code. */
export const EXIT = {
  /** The crawl ended by itself. */
  done: 0,
  /** A mistake in the program. */
  internal: 1,
  /** The command line cannot be obeyed; nothing was fetched. */
  usage: 2,
  /** Output could not be written. */
  output: 3,
  /** No seed could be fetched. */
  noSeed: 4,
  /** `--max-time` was over with work left. */
  maxTime: 6,
  /** Stopped by SIGINT (Ctrl-C). */
  interrupted: 130,
  /** Stopped by SIGTERM. */
  terminated: 143,
} as const;

/** One of the exit codes of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
