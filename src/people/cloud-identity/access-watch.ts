import type { Clock } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { AccountsPort } from './accounts-port.ts';

/** Milliseconds for which a change matters: longer than the lifetime of any token. */
const MATTERS_MS = 20 * 60_000;

type AccessChange = Awaited<ReturnType<AccountsPort['accessChanges']>>['changes'][number];

export interface AccessWatchOptions {
  accounts: Pick<AccountsPort, 'accessChanges'>;
  clock: Clock;
  log: Log;
  /** Milliseconds between two requests to the accounts service. */
  everyMs: number;
}

/** Follows the accounts service's access changes for all users. While the service is away, known changes stay in force. */
export function createAccessWatch({ accounts, clock, log, everyMs }: AccessWatchOptions) {
  const latest = new Map<string, { seq: number; knownAtMs: number }>();
  const listeners = new Set<(change: AccessChange) => void>();
  let after = 0;
  let knows = false;
  let failure: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let asking: Promise<void> = Promise.resolve();
  let stopped = false;

  function take(change: AccessChange): void {
    const key = `${change.subject} ${change.subject_id}`;
    latest.delete(key);
    latest.set(key, { seq: change.seq, knownAtMs: clock.now() });
    after = Math.max(after, change.seq);
    for (const listener of listeners) listener(change);
  }

  function forgetOld(): void {
    for (const [key, { knownAtMs }] of latest) {
      if (clock.now() - knownAtMs < MATTERS_MS) return;
      latest.delete(key);
    }
  }

  async function catchUp(): Promise<void> {
    for (;;) {
      const found = await accounts.accessChanges(after);
      if (found.latest < after) {
        latest.clear();
        after = 0;
        continue;
      }
      for (const change of found.changes) take(change);
      if (found.changes.length === 0 || after >= found.latest) return;
    }
  }

  async function ask(): Promise<void> {
    try {
      await catchUp();
      if (failure !== null) log.info('the accounts service answers again');
      knows = true;
      failure = null;
    } catch (error) {
      if (failure === null)
        log.warn(`the accounts service does not say whose access changed: ${messageOf(error)}`);
      failure = messageOf(error);
    }
    forgetOld();
  }

  function schedule(): void {
    if (stopped) return;
    timer = setTimeout(() => {
      asking = ask().then(schedule);
    }, everyMs).unref();
  }

  return {
    /** True once anything was heard since the start: before that, an ended token cannot be told from a valid one. */
    knows: () => knows,
    /** True if the subject has changed after the number. */
    changedSince: (subject: AccessChange['subject'], id: string, seq: number): boolean =>
      (latest.get(`${subject} ${id}`)?.seq ?? 0) > seq,
    /** `listener` is called once for each change. */
    onChange: (listener: (change: AccessChange) => void): void => void listeners.add(listener),
    /** Rejects while the accounts service does not answer. */
    async probe(): Promise<void> {
      if (failure !== null) throw new Error(failure);
    },
    async start(): Promise<void> {
      await ask();
      schedule();
    },
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await asking;
    },
  };
}

export type AccessWatch = ReturnType<typeof createAccessWatch>;
