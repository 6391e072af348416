import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import type { CliSystem, Terminal } from '../../src/cli/cli-system.js';

/** A world without a process: what is written is kept as text, signals come by `emit`. */
export interface FakeSystem extends CliSystem {
  readonly emit: (signal: NodeJS.Signals) => void;
  readonly listeners: () => number;
  readonly out: () => string;
  readonly err: () => string;
}

export interface FakeOptions {
  readonly stdin?: string;
  readonly stdout?: Terminal;
  readonly stderr?: Terminal;
  readonly terminal?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

export function fakeSystem(options: FakeOptions = {}): FakeSystem {
  const signals = new EventEmitter();
  const stdout = collector(options.terminal);
  const stderr = collector(options.terminal);
  return {
    stdin: Readable.from(options.stdin === undefined ? [] : [options.stdin]),
    stdout: options.stdout ?? stdout.stream,
    stderr: options.stderr ?? stderr.stream,
    env: options.env ?? {},
    on: (signal, listener) => signals.on(signal, listener),
    off: (signal, listener) => signals.off(signal, listener),
    emit: (signal) => signals.emit(signal),
    listeners: () => signals.eventNames().length,
    out: stdout.text,
    err: stderr.text,
  };
}

function collector(terminal = false): { stream: Terminal; text: () => string } {
  let text = '';
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk);
      done();
    },
  });
  return {
    stream: Object.assign(stream, terminal ? { isTTY: true, columns: 200 } : {}),
    text: () => text,
  };
}
