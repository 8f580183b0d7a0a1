import type { Clock } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { Database } from '../../platform/database/database.ts';
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
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function settleDue(): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS && !isStopped; round += 1) {
      const due = await store.due(clock.now(), TENANTS_AT_ONCE);
      if (due.length === 0) return;
      await ledger.catchUp(due);
    }
  }

  async function dropAnswers(): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS && !isStopped; round += 1) {
      const removed = await store.removeAnswers(clock.now() - ANSWERS_KEPT_MS, ANSWERS_AT_ONCE);
      if (removed < ANSWERS_AT_ONCE) return;
    }
  }

  const pass = (): Promise<void> =>
    database.system.ifFree(
      'credits upkeep',
      async () => {
        await settleDue();
        await dropAnswers();
      },
      async () => {},
    );

  function passLater(inMs: number): void {
    timer = setTimeout(() => {
      running = pass()
        .catch((error: unknown) => log.warn(`the upkeep of credits failed: ${messageOf(error)}`))
        .finally(() => {
          if (!isStopped) passLater(EVERY_MS);
        });
    }, inMs).unref();
  }

  return {
    pass,
    start: () => passLater(0),
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
