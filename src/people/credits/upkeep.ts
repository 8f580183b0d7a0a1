import type { Clock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import { createRegularWork } from '../../kit/regular-work.ts';
import type { Database } from '../../platform/database/database.ts';
import { unlessBusy } from '../../platform/database/unless-busy.ts';
import type { CreditsService } from './credits.service.ts';
import { createUpkeepStore } from './upkeep.store.ts';

/** Well below the minute by which a period may end late. */
const EVERY_MS = 20_000;
const TENANTS_AT_ONCE = 50;
const ANSWERS_AT_ONCE = 1_000;
/** A pass that finds ever more leaves the rest to the next one. */
const MOST_ROUNDS = 200;
const ANSWERS_KEPT_MS = 48 * 3_600_000;

interface UpkeepOptions {
  database: Database;
  clock: Clock;
  log: Log;
  ledger: Pick<CreditsService, 'catchUp'>;
}

/** Ends periods, leases and lots whose time has come also where nobody spends; one process does it at a time. */
export function createUpkeep({ database, clock, log, ledger }: UpkeepOptions) {
  const store = createUpkeepStore(database.system);

  async function settleDue(signal?: AbortSignal): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS && !signal?.aborted; round += 1) {
      const due = await store.due(clock.now(), TENANTS_AT_ONCE);
      if (due.length === 0) return;
      await ledger.catchUp(due);
    }
  }

  async function dropAnswers(signal?: AbortSignal): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS && !signal?.aborted; round += 1) {
      const removed = await store.removeAnswers(clock.now() - ANSWERS_KEPT_MS, ANSWERS_AT_ONCE);
      if (removed < ANSWERS_AT_ONCE) return;
    }
  }

  const pass = (signal?: AbortSignal): Promise<void> =>
    unlessBusy(database.system, 'credits upkeep', async () => {
      await settleDue(signal);
      await dropAnswers(signal);
    });

  const { start, stop } = createRegularWork({
    what: 'the upkeep of credits',
    everyMs: EVERY_MS,
    log,
    work: pass,
  });
  return { pass, start, stop };
}
