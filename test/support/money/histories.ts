import type { OpenDatabase } from '../databases.ts';
import { createJournal, type Journal } from '../replicas/journal.ts';
import { playMoneyHistory } from './history.ts';
import { openMoneyWorld } from './world.ts';

/** Databases remember what was removed: after this many histories there is a new one. */
const HISTORIES_A_DATABASE = 200;

export interface MoneyHistories {
  cases: number;
  firstSeed: number;
  /** Taken in turn. */
  databases: Readonly<Record<string, OpenDatabase>>;
}

export interface Played {
  seed: number;
  database: string;
  /** Null for a history that ended well, else the reason. */
  failure: string | null;
  journal: Journal;
}

/** Plays one seed after another, each on one of the databases. */
export async function* moneyHistories({
  cases,
  firstSeed,
  databases,
}: MoneyHistories): AsyncGenerator<Played> {
  const names = Object.keys(databases);
  const after = firstSeed + cases;
  for (let first = firstSeed; first < after; first += HISTORIES_A_DATABASE) {
    const worlds = new Map(
      await Promise.all(
        Object.entries(databases).map(async ([name, open]) => [name, await openMoneyWorld(open)] as const),
      ),
    );
    try {
      for (let seed = first; seed < Math.min(first + HISTORIES_A_DATABASE, after); seed += 1) {
        const database = names[seed % names.length] ?? '';
        const world = worlds.get(database);
        if (world === undefined) throw new Error(`no database for seed ${seed}`);
        const journal = createJournal();
        yield { seed, database, failure: await playMoneyHistory(world, seed, journal), journal };
      }
    } finally {
      for (const world of worlds.values()) await world.close();
    }
  }
}
