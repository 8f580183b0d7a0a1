import { callerOf, storageOwnerOf } from '../../kit/principal.ts';
import type { RouteRequest } from '../../kit/route.ts';
import type { DriveUser } from './drives.ts';

type Asking = Pick<RouteRequest, 'principal' | 'origin'>;
type Asked = DriveUser & { origin: string };

export const userOf = (request: Asking): Asked => ({
  userId: callerOf(request).userId,
  origin: request.origin,
});

/** For what connects and disconnects; an API key gets 403. */
export const personOf = (request: Asking): Asked => ({
  userId: storageOwnerOf(request).userId,
  origin: request.origin,
});
