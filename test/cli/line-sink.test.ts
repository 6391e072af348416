import { PassThrough, Writable } from 'node:stream';
import { firstValueFrom, map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { lineSink, type LineSink } from '../../src/cli/line-sink.js';

function brokenBy({ broken$ }: LineSink): Promise<string> {
  return firstValueFrom(broken$.pipe(map((error) => error.message)), { defaultValue: 'nothing' });
}

describe('lineSink', () => {
  it('says that it is full, keeps what comes anyway, and says when there is room', async () => {
    let text = '';
    const finish: (() => void)[] = [];
    const stream = new Writable({
      highWaterMark: 10,
      write: (chunk, _encoding, done) => {
        text += String(chunk);
        finish.push(done);
      },
    });
    const sink = lineSink(stream, true);
    const states: boolean[] = [];
    sink.full$.subscribe((full) => states.push(full));
    sink.write('123');
    expect(states).toEqual([false]);
    sink.write('456789');
    sink.write('x');
    expect(states).toEqual([false, true]);
    const closed = sink.close();
    while (finish.length > 0) {
      finish.shift()!();
      await new Promise(setImmediate);
    }
    expect(await closed).toBeUndefined();
    expect(text).toBe('123\n456789\nx\n');
  });

  it('is no longer full once all has been taken', async () => {
    const stream = new PassThrough({ highWaterMark: 10 });
    const sink = lineSink(stream, true);
    const states: boolean[] = [];
    sink.full$.subscribe((full) => states.push(full));
    for (let line = 0; line < 5; line++) sink.write('0123456789');
    expect(states).toEqual([false, true]);
    while (stream.read() !== null) await new Promise(setImmediate);
    expect(states).toEqual([false, true, false]);
  });

  it('tells the error that broke it, and takes no more', async () => {
    const stream = new Writable({
      write: (_chunk, _encoding, done) => done(new Error('disk full')),
    });
    const sink = lineSink(stream, true);
    sink.write('a');
    expect(await brokenBy(sink)).toBe('disk full');
    sink.write('b');
    expect((await sink.close())?.message).toBe('disk full');
    expect(stream.writableLength).toBe(0);
  });

  it('resolves its close if the stream breaks only then', async () => {
    const stream = new Writable({
      write: (_chunk, _encoding, done) => setImmediate(done, new Error('disk full')),
    });
    const sink = lineSink(stream, true);
    sink.write('a');
    expect((await sink.close())?.message).toBe('disk full');
    expect(await brokenBy(sink)).toBe('disk full');
  });

  it('leaves a stream open that is not its own', async () => {
    const stream = new PassThrough();
    const sink = lineSink(stream, false);
    sink.write('a');
    await sink.close();
    expect(stream.writableEnded).toBe(false);
    expect(String(stream.read())).toBe('a\n');
  });
});
