import { invalid } from '../../kit/errors.ts';

const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]):([1-9]\d{0,4})\/callback$/;

/**
 * Checks an install's redirect address: a numeric loopback address with any port and nothing that parsers could read differently; a
 * name such as `localhost` may lead elsewhere (RFC 8252 §8.3). 422 for any other.
 */
export function checkedLoopback(text: string): string {
  const port = LOOPBACK.exec(text)?.[1];
  if (port !== undefined && Number(port) <= 65_535) return text;
  const message = 'must be http://127.0.0.1:{port}/callback or http://[::1]:{port}/callback';
  throw invalid(`redirect_uri ${message}`, {
    code: 'invalid_redirect_uri',
    errors: [{ field: 'redirect_uri', message }],
  });
}
