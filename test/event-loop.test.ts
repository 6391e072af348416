import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltCommand, buildCommand } from './cli/built-command.js';

let built: BuiltCommand;
beforeAll(async () => {
  built = await buildCommand();
}, 60_000);
afterAll(() => built.remove());

describe('the event loop', () => {
  it('is held for at most 250 ms by a page of 10 MiB that is made to be slow', async () => {
    const script = join(import.meta.dirname, 'longest-turns.mjs');
    const index = join(built.main, '../../index.js');
    const { stdout } = await promisify(execFile)(process.execPath, [script, index]);
    const turns = Object.entries(JSON.parse(stdout) as Record<string, number>);
    expect(turns.length).toBeGreaterThan(40);
    expect(turns.filter(([, ms]) => ms > 250)).toEqual([]);
  }, 120_000);
});
