import { inspect } from 'node:util';
import { type CaseEnd, type CaseOptions, runReplicaCase } from './replica-case.ts';
import { startTrio } from './trio.ts';

export interface CasesOptions extends CaseOptions {
  cases: number;
  firstSeed: number;
  /** Two: a cloud over PostgreSQL and Redis; otherwise one service is the cloud. */
  cores?: 1 | 2;
  /** No case begins later. */
  withinMs?: number;
  /** Called after each case. */
  onCase?: (seed: number, end: CaseEnd) => void;
}

export interface Played {
  cases: number;
  /** Cases with a killed process, and with a jumping clock; all that run at the time notice both. */
  killed: number;
  jumped: number;
  failures: { seed: number; failure: string }[];
}

/** Cases that share the processes concurrently. */
const AT_ONCE = 8;
/** Cases leave data on disk: after this many, everything starts afresh. */
const CASES_A_TRIO = 400;

export async function runCases({
  cases,
  firstSeed,
  cores = 1,
  withinMs,
  onCase,
  ...options
}: CasesOptions): Promise<Played> {
  const played: Played = { cases: 0, killed: 0, jumped: 0, failures: [] };
  const after = firstSeed + cases;
  const deadline = performance.now() + (withinMs ?? Number.POSITIVE_INFINITY);
  for (let first = firstSeed; first < after; first += CASES_A_TRIO) {
    const trio = await startTrio({ cores });
    let next = first;
    const last = Math.min(first + CASES_A_TRIO, after);
    const work = async () => {
      while (next < last && performance.now() < deadline) {
        const seed = next;
        next += 1;
        const end = await runReplicaCase(trio, seed, options).catch(failed);
        note(played, seed, end);
        onCase?.(seed, end);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work)).finally(() => trio.close());
  }
  return played;
}

const failed = (error: unknown): CaseEnd => ({ failure: `failed: ${inspect(error)}`, kills: 0, jumps: 0 });

function note(played: Played, seed: number, { failure, kills, jumps }: CaseEnd): void {
  played.cases += 1;
  if (kills > 0) played.killed += 1;
  if (jumps > 0) played.jumped += 1;
  if (failure !== null) played.failures.push({ seed, failure });
}

export const shownPlayed = ({ cases, killed, jumped, failures }: Played): string =>
  `${cases} cases, ${killed} with a kill, ${jumped} with a clock that jumped: ${failures.length} failed`;
