import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from '../errors.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The header `Idempotency-Key`; null without one. */
export function idempotencyKeyOf({ headers }: { headers: IncomingHttpHeaders }): string | null {
  const given = headers['idempotency-key'];
  if (given === undefined) return null;
  if (typeof given === 'string' && KEY.test(given)) return given;
  throw invalid('Idempotency-Key must be one text of 1 to 255 visible characters', {
    code: 'invalid_idempotency_key',
  });
}
