import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BodyChunks } from '../../src/fetch/body-chunks.js';

describe('BodyChunks', () => {
  it('gives back what was put in, whatever was announced', () => {
    const part = fc.uint8Array({ maxLength: 5000 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), fc.nat(100_000), (parts, announced) => {
        const chunks = new BodyChunks();
        chunks.expect(announced);
        for (const each of parts) chunks.push(each);
        const whole = Buffer.concat(parts);
        expect(chunks.size).toBe(whole.length);
        expect(Buffer.compare(chunks.take(), whole)).toBe(0);
      }),
    );
  });

  it('takes exactly the memory of an announced body, and none of its own for a single part', () => {
    const chunks = new BodyChunks();
    chunks.expect(6);
    chunks.push(Uint8Array.of(1, 2, 3));
    chunks.push(Uint8Array.of(4, 5, 6));
    expect(chunks.take().buffer.byteLength).toBe(6);

    const single = new BodyChunks();
    const part = Uint8Array.of(1, 2, 3);
    single.expect(3);
    single.push(part);
    expect(single.take()).toBe(part);
  });

  it('takes nothing for a body that was announced and does not come', () => {
    const chunks = new BodyChunks();
    chunks.expect(10_000_000);
    expect(chunks.take().length).toBe(0);
  });
});
