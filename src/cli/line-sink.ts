import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type StreamWriter, streamWriter } from './stream-writer.js';

/** What is around the lines of a stream, and between them. */
export interface Framing {
  readonly head: string;
  readonly between: string;
  readonly foot: string;
}

/** Takes lines for one stream, whole ones only. */
export interface LineSink extends StreamWriter {
  /** Adds one line; what is between lines is added here. Does nothing once the stream is broken. */
  readonly write: (line: string) => void;
  /**
   * Resolves when all lines have been handed to the system, or to the error that broke the
   * stream before they were.
   */
  readonly close: () => Promise<Error | undefined>;
}

/**
 * Makes a {@link LineSink} of a stream.
 *
 * @param stream - where lines go
 * @param own - whether `close` also ends the stream; standard output stays open
 * @param framing - default: a line feed behind each line
 */
export function lineSink(stream: Writable, own: boolean, framing?: Framing): LineSink {
  const { write, full$, broken$ } = streamWriter(stream);
  let error: Error | undefined;
  let started = false;
  broken$.subscribe((thrown) => {
    error = thrown;
  });
  return {
    write: (line) => {
      if (framing === undefined) return write(`${line}\n`);
      write((started ? framing.between : framing.head) + line);
      started = true;
    },
    full$,
    broken$,
    close: async () => {
      if (error !== undefined) return error;
      if (framing !== undefined) write((started ? '' : framing.head) + framing.foot);
      try {
        if (own) await finished(stream.end());
        else await flush(stream);
      } catch (thrown) {
        error ??= thrown instanceof Error ? thrown : new Error(String(thrown));
      }
      return error;
    },
  };
}

/** Waits for all that has been written. */
function flush(stream: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write('', (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
