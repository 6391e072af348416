import type { Writable } from 'node:stream';
import type { Observable } from 'rxjs';
import { escapeLogLine } from '../items/escape-terminal.js';
import { streamWriter } from './stream-writer.js';

/** What a message is about; decides its colour. */
export type MessageLabel =
  'failure' | 'item' | 'warning' | 'skip' | 'retry' | 'hold' | 'redirect' | 'get' | 'done';

/** Writes messages for people: whole lines above a line that shows the state. */
export interface MessagePrinter {
  /** Prints one message on a line of its own. */
  readonly print: (text: string, label?: MessageLabel) => void;
  /** Shows the state on the last line, in place of what it showed before. */
  readonly showStatus: (text: string) => void;
  /** Removes the line that shows the state. */
  readonly clearStatus: () => void;
  /** Runs something that writes to the same terminal by another stream. */
  readonly aside: (other: () => void) => void;
  /** True while nobody reads what is printed. Replays its state. */
  readonly full$: Observable<boolean>;
}

/** Options of {@link messagePrinter}. */
export interface MessagePrinterOptions {
  /** Whether the last line can be written over. */
  readonly overwrite: boolean;
  readonly colour: boolean;
  /** Hides secrets; applied to every message. */
  readonly mask: (text: string) => string;
  /** Width of the terminal. Read at each use: it may change. */
  readonly columns: () => number;
}

const COLOURS: Readonly<Record<MessageLabel, number>> = {
  failure: 31,
  item: 31,
  warning: 33,
  skip: 2,
  retry: 33,
  hold: 33,
  redirect: 2,
  get: 2,
  done: 2,
};
const ERASE_LINE = '\r\u001b[2K';

/**
 * Makes a {@link MessagePrinter} of a stream. Messages that nobody can read any more are no error.
 * Every message passes here, and so is masked,
 * and escaped to one harmless line, in one place.
 */
export function messagePrinter(stream: Writable, options: MessagePrinterOptions): MessagePrinter {
  const { overwrite, colour, mask, columns } = options;
  const { write, full$ } = streamWriter(stream);
  let status = '';

  const erase = (): void => {
    if (overwrite && status !== '') write(ERASE_LINE);
  };
  const draw = (): void => {
    // One column stays free: some terminals wrap a line that is exactly full.
    if (overwrite && status !== '') write(status.slice(0, Math.max(columns() - 1, 1)));
  };
  const lead = (label: MessageLabel | undefined): string => {
    if (label === undefined) return '';
    return colour ? `\u001b[${COLOURS[label]}m${label}\u001b[0m ` : `${label} `;
  };

  return {
    print: (text, label) => {
      erase();
      write(`${lead(label)}${escapeLogLine(mask(text))}\n`);
      draw();
    },
    showStatus: (text) => {
      const line = escapeLogLine(text);
      if (overwrite) {
        erase();
        status = line;
        draw();
      } else {
        write(`${line}\n`);
      }
    },
    clearStatus: () => {
      erase();
      status = '';
    },
    aside: (other) => {
      erase();
      other();
      draw();
    },
    full$,
  };
}
