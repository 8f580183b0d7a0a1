import type { IncomingHttpHeaders } from 'node:http';
import { conflict, type HttpError, invalid } from '../errors.ts';

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

/** 409 for a key that stands for another request already. */
export const keyReused = (): HttpError =>
  conflict('A different request was sent with this Idempotency-Key: use a new key for each', {
    code: 'idempotency_key_reused',
  });
