import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './support/child.ts';
import { ninetyNinthOf, requestsPerSecond, requestText } from './support/load.ts';
import { limitResult, type Result, ratioResult } from './support/report.ts';
import { inTurns } from './support/rounds.ts';
import { CREDENTIALS, type Service, startService } from './support/service.ts';
import { firstSync } from './support/sync.ts';
import { entityIdOf, world } from './world.ts';

const ENTITIES = 1_000;
const ROUNDS = 3;
const SECONDS = 5;
const GETS_A_SECOND = 200;
/** More than are checked at once, so that some always wait. */
const SIGNING_IN = 8;
const COST = 12;
/** Time until every connection has a login in progress, and enough time to outlast the measurement. */
const AHEAD_MS = 500;
const LONGER_SECONDS = 3;
const FLOOR = join(import.meta.dirname, 'floors', 'hashes.ts');

const logins = ({ url, token }: Service, seconds: number): Promise<number> =>
  requestsPerSecond(url, {
    connections: SIGNING_IN,
    seconds,
    requests: [requestText('POST', '/api/auth/login', token, CREDENTIALS)],
  });

const slowGet = ({ url, token }: Service): Promise<number> =>
  ninetyNinthOf(url, {
    token,
    perSecond: GETS_A_SECOND,
    seconds: SECONDS,
    paths: Array.from({ length: ENTITIES }, (_, index) => `/api/entity/character/${entityIdOf(index)}`),
  });

/** People sign in as fast as the service allows, while others read. */
export async function run(): Promise<Result[]> {
  const service = await startService(world(ENTITIES));
  try {
    await firstSync(service);
    const reading = await inTurns(ROUNDS, {
      async ours() {
        const signingIn = logins(service, SECONDS + LONGER_SECONDS);
        await sleep(AHEAD_MS);
        const [slow] = await Promise.all([slowGet(service), signingIn]);
        return slow;
      },
      floor: () => slowGet(service),
    });
    const signingIn = await inTurns(ROUNDS, {
      ours: () => logins(service, SECONDS),
      floor: async () => Number(await startChild([FLOOR, String(COST), String(SECONDS)]).done()),
    });
    const what = `get by id, p99 of ${GETS_A_SECOND}/s, while ${SIGNING_IN} clients sign in; floor: nobody does`;
    return [
      { ...limitResult(what, 'ms', reading.ours, 50), floor: `${reading.floor.toPrecision(3)} ms` },
      ratioResult(`logins, ${SIGNING_IN} clients; floor: one hash after the other`, 'logins/s', signingIn, {
        atLeast: 0.8,
      }),
    ];
  } finally {
    await service.stop();
  }
}
