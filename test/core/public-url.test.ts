import { expect, it } from 'vitest';
import { withoutUserInfo } from '../../src/core/public-url.js';

it.each([
  ['https://me:secret@a.example/x@y', 'https://a.example/x@y'],
  ['https://me@a.example/', 'https://a.example/'],
  ['https://:secret@a.example:8080/?q=@', 'https://a.example:8080/?q=@'],
  ['https://m%40e:sec%2Fret@[::1]/', 'https://[::1]/'],
  ['ftp://me:secret@a.example/', 'ftp://a.example/'],
  ['git+ssh://me:secret@a.example', 'git+ssh://a.example'],
  ['https://a.example/@me', 'https://a.example/@me'],
  ['https://a.example/http://me:x@b.example/', 'https://a.example/http://me:x@b.example/'],
  ['mailto:me@a.example', 'mailto:me@a.example'],
])('%s is told as %s', (url, told) => {
  expect(withoutUserInfo(new URL(url).href)).toBe(told);
});
