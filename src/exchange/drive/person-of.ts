import { forbidden } from '../../kit/errors.ts';
import { callerOf } from '../../kit/principal.ts';
import type { RouteRequest } from '../../kit/route.ts';
import type { DriveUser } from './drives.ts';

type Asking = Pick<RouteRequest, 'principal' | 'origin'>;

export const userOf = (request: Asking): DriveUser & { origin: string } => ({
  userId: callerOf(request).userId,
  origin: request.origin,
});

/** Only people may decide where a world's files lie, not programs with their API key. */
export function personOf(request: Asking): DriveUser & { origin: string } {
  if (callerOf(request).apiKey)
    throw forbidden('An API key cannot connect storage: sign in', { code: 'insufficient_scope' });
  return userOf(request);
}
