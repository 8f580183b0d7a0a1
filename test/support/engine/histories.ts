import { inspect } from 'node:util';
import { startCore } from '../core.ts';
import { createJournal, type Journal } from '../replicas/journal.ts';
import { type CaseOptions, playEngineCase } from './engine-case.ts';

/** Cases leave data in memory: after this many, everything starts afresh. */
const CASES_A_CORE = 100;

/** Plays one seed after another; null for a history that ended well, else the reason. */
export async function* histories(
  { cases, firstSeed }: { cases: number; firstSeed: number },
  options: CaseOptions = {},
): AsyncGenerator<{ seed: number; failure: string | null; journal: Journal }> {
  const after = firstSeed + cases;
  for (let first = firstSeed; first < after; first += CASES_A_CORE) {
    const core = await startCore({ content: 'empty' });
    try {
      for (let seed = first; seed < Math.min(first + CASES_A_CORE, after); seed += 1) {
        const journal = createJournal();
        const failure = await playEngineCase(core, seed, { ...options, journal }).catch((error: unknown) =>
          inspect(error),
        );
        yield { seed, failure, journal };
      }
    } finally {
      await core.close();
    }
  }
}
