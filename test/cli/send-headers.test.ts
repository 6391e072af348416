import { type Observable, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { sendHeaders } from '../../src/cli/send-headers.js';
import { type FetchedResponse, request, type RequestOptions } from '../../src/index.js';

const HEADERS = { 'accept-language': 'de', authorization: 'Bearer x', 'x-api-key': 'y' };

/** The header fields that a request ends up with. */
function sent(
  headers: Readonly<Record<string, string>>,
  url: string,
  options: RequestOptions = {},
): unknown {
  let got: unknown;
  const { decorator, trust } = sendHeaders(headers);
  trust('https://a.example/start');
  trust('no url');
  decorator((given): Observable<FetchedResponse> => {
    got = given.headers;
    return of();
  })(request(url, options));
  return got;
}

describe('sendHeaders', () => {
  it('sends everything to the origin of a seed', () => {
    expect(sent(HEADERS, 'https://a.example/other')).toEqual(HEADERS);
  });

  it.each(['https://b.example/', 'http://a.example/', 'https://a.example:8443/'])(
    'sends no secret to %s',
    (url) => {
      expect(sent(HEADERS, url)).toEqual({ 'accept-language': 'de' });
    },
  );

  it('lets a request have its own', () => {
    const own = { headers: { 'Accept-Language': 'fr' } };
    expect(sent(HEADERS, 'https://b.example/', own)).toEqual({ 'accept-language': 'fr' });
  });

  it('leaves requests alone if there is nothing to send', () => {
    expect(sent({}, 'https://a.example/')).toBeUndefined();
  });
});
