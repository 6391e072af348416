import { describe, expect, it } from 'vitest';
import { isPublicHeader, isSecretHeader } from '../../src/core/header-scope.js';

describe('header scope', () => {
  it.each([
    'authorization',
    'proxy-authorization',
    'cookie',
    'x-api-key',
    'apikey',
    'api_key',
    'x-auth',
    'x-auth-user',
    'x-csrf-token',
    'x-amz-security-token',
    'client-secret',
    'x-password',
    'x-session-id',
    'signature',
  ])('%s is a secret', (name) => {
    expect(isSecretHeader(name)).toBe(true);
    expect(isPublicHeader(name)).toBe(false);
  });

  it.each(['accept', 'accept-language', 'user-agent', 'referer', 'sec-fetch-mode'])(
    '%s is public',
    (name) => {
      expect(isPublicHeader(name)).toBe(true);
      expect(isSecretHeader(name)).toBe(false);
    },
  );

  it.each(['x-team', 'x-monkey', 'x-author', 'x-keyboard', '__proto__', 'constructor'])(
    '%s is neither',
    (name) => {
      expect(isPublicHeader(name)).toBe(false);
      expect(isSecretHeader(name)).toBe(false);
    },
  );
});
