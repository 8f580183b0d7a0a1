import { requestsPerSecond, requestText } from './load.ts';
import { inTurns, type Pair } from './rounds.ts';
import { requireSameReply, type Served } from './served-world.ts';

const ROUNDS = 5;
const CONNECTIONS = 16;
const SECONDS = 2;

/** Requests per second of both for the same paths, after a look whether they answer alike. */
export async function compareServing(served: Served, paths: readonly string[]): Promise<Pair> {
  const { ours, floor } = served;
  for (const path of paths.slice(0, 5)) await requireSameReply(served, path);
  const requests = paths.map((path) => requestText('GET', path, ours.token));
  const load = { connections: CONNECTIONS, seconds: SECONDS, requests };
  return inTurns(ROUNDS, {
    ours: () => requestsPerSecond(ours.url, load),
    floor: () => requestsPerSecond(floor.url, load),
  });
}
