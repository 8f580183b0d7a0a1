import { inspect } from 'node:util';
import { startCore, type TestCore } from '../core.ts';
import { createJournal, type Journal } from '../replicas/journal.ts';

/** Cases leave data in memory: after this many, everything starts afresh. */
const CASES_A_CORE = 100;

/** Plays one seed after another; null for a history that ended well, else the reason. */
export async function* histories(
  { cases, firstSeed }: { cases: number; firstSeed: number },
  play: (core: TestCore, seed: number, journal: Journal) => Promise<string | null>,
): AsyncGenerator<{ seed: number; failure: string | null; journal: Journal }> {
  const after = firstSeed + cases;
  for (let first = firstSeed; first < after; first += CASES_A_CORE) {
    const core = await startCore({ content: 'empty' });
    try {
      for (let seed = first; seed < Math.min(first + CASES_A_CORE, after); seed += 1) {
        const journal = createJournal();
        const failure = await play(core, seed, journal).catch((error: unknown) => inspect(error));
        yield { seed, failure, journal };
      }
    } finally {
      await core.close();
    }
  }
}
