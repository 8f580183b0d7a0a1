import type { DriveServer } from '../drive/drive-server.ts';
import type { Fault } from '../drive/faults.ts';
import type { Random } from '../replica/random.ts';

const FAULTS: readonly Fault[] = [
  { status: 429 },
  { status: 403, reason: 'userRateLimitExceeded', times: 3 },
  { status: 429, times: 8 },
  { status: 503, effect: 'done' },
  { status: 500, times: 6 },
  { connection: 'cut' },
  { connection: 'reset', effect: 'done' },
  { connection: 'reset', times: 6 },
  { match: /^PATCH/, connection: 'reset', effect: 'done', times: 6 },
  { match: /^POST \/upload/, connection: 'reset', effect: 'done', times: 6 },
  { match: /^GET \/drive\/v3\/files\?/, list: 'empty' },
  { match: /^GET \/drive\/v3\/files\?/, list: 'short' },
  { match: /^GET \/drive\/v3\/files\?/, list: 'incomplete' },
  { match: /changes/, pageToken: 'expired' },
  { match: /changes/, pageToken: 'gone' },
];

/** Lets something go wrong in the drive soon. */
export function breakSomething(server: DriveServer, random: Random): void {
  if (random.chance(0.1)) server.loseTokens();
  else server.faults.next(random.pick(FAULTS));
}
