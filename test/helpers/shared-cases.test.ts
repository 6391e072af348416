import { describe, expect, it } from 'vitest';
import { sharedCases } from './shared-cases.js';

describe('sharedCases', () => {
  it('is undefined for what is absent', () => {
    expect(sharedCases('no/such/folder')).toBeUndefined();
  });
});
