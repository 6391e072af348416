import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { secretMasker } from '../../src/cli/mask-secrets.js';
import { messagePrinter, type MessagePrinterOptions } from '../../src/cli/message-printer.js';

const ERASE = '\r\u001b[2K';

function printer(options: Partial<MessagePrinterOptions> = {}): {
  messages: ReturnType<typeof messagePrinter>;
  written: () => string;
} {
  const stream = new PassThrough();
  const messages = messagePrinter(stream, {
    overwrite: false,
    colour: false,
    mask: secretMasker(['hunter2']),
    columns: () => 20,
    ...options,
  });
  return { messages, written: () => String(stream.read() ?? '') };
}

describe('messagePrinter', () => {
  it('prints one harmless line for each message, without secrets', () => {
    const { messages, written } = printer();
    messages.print('a\nb \u001b[31m https://me:pw@a.example/ hunter2', 'failure');
    expect(written()).toBe('failure a\\nb \\u001b[31m https://***@a.example/ ***\n');
  });

  it('prints each state on a line of its own where it cannot write over', () => {
    const { messages, written } = printer();
    messages.showStatus('1 done');
    messages.print('hello');
    messages.showStatus('2 done');
    messages.clearStatus();
    expect(written()).toBe('1 done\nhello\n2 done\n');
  });

  it('keeps the state on the last line of a terminal', () => {
    const { messages, written } = printer({ overwrite: true });
    messages.showStatus('1 done');
    messages.print('hello');
    messages.showStatus('2 done');
    messages.clearStatus();
    messages.print('end');
    expect(written()).toBe(`1 done${ERASE}hello\n1 done${ERASE}2 done${ERASE}end\n`);
  });

  it('never lets the state wrap', () => {
    const { messages, written } = printer({ overwrite: true });
    messages.showStatus('x'.repeat(50));
    expect(written()).toBe('x'.repeat(19));
  });

  it('makes way for another stream on the same terminal', () => {
    const { messages, written } = printer({ overwrite: true });
    messages.showStatus('1 done');
    let before = '';
    messages.aside(() => {
      before = written();
    });
    expect(before).toBe(`1 done${ERASE}`);
    expect(written()).toBe('1 done');
  });

  it('colours the label alone, if at all', () => {
    const { messages, written } = printer({ colour: true });
    messages.print('no answer', 'failure');
    expect(written()).toBe('\u001b[31mfailure\u001b[0m no answer\n');
  });
});
