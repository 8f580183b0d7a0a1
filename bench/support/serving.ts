import { requestsPerSecond, requestText } from './load.ts';
import { metered } from './metered.ts';
import { type Result, ratioResult, shareResult } from './report.ts';
import { inTurns } from './rounds.ts';
import { requireSameReply, type Served } from './served-world.ts';

const CONNECTIONS = 16;
/** Many short rounds, so that a busy moment of the machine spoils only a few. */
const ROUNDS = 15;
const SECONDS = 0.7;

/**
 * Requests per second of both for the same paths, after a check that their replies agree, and the CPU time per request,
 * which hardly depends on how busy the machine is.
 */
export async function compareServing(
  what: string,
  served: Served,
  { paths, atLeast }: { paths: readonly string[]; atLeast: number },
): Promise<Result[]> {
  for (const path of paths.slice(0, 5)) await requireSameReply(served, path);
  const requests = paths.map((path) => requestText('GET', path, served.ours.token));
  const load = { connections: CONNECTIONS, seconds: SECONDS, requests };
  const loaded = ({ url, child }: Served['floor']) =>
    metered(child.pid, SECONDS, () => requestsPerSecond(url, load));
  const ours = loaded(served.ours);
  const floor = loaded(served.floor);
  const pair = await inTurns(ROUNDS, { ours: ours.run, floor: floor.run });
  return [
    ratioResult(what, 'requests/s', pair, { atLeast }),
    shareResult(`${what}: CPU time a request`, 'µs', ours.microseconds(), floor.microseconds()),
  ];
}
