import type { Clock } from '../../../kit/clock.ts';
import type { KeyValue } from '../../../platform/kv/kv.ts';
import type { Scope } from '../../../world/records/index.ts';
import { pauseAfter, type SyncError } from '../../sync/index.ts';

interface Pause {
  failures: number;
  /** Milliseconds since the epoch. */
  until: number;
}

/** Longer than the longest pause: the next failure is told from a first one. */
const KEPT_MS = 20 * 60_000;

const keyOf = ({ tenantId, projectId }: Scope): string =>
  `drive-pause ${JSON.stringify([tenantId, projectId])}`;

/** Pauses after failed rounds, known to all cores. Where they are lost, a round comes too early. */
export function createFailures({ keyValue, clock }: { keyValue: KeyValue; clock: Clock }) {
  async function find(scope: Scope): Promise<Pause | null> {
    const stored = await keyValue.get(keyOf(scope)).catch(() => undefined);
    return stored === undefined ? null : (JSON.parse(stored) as Pause);
  }

  return {
    /** When rounds may come again; null if no failure forbids one. */
    async pausedUntil(scope: Scope): Promise<number | null> {
      const pause = await find(scope);
      return pause !== null && pause.until > clock.now() ? pause.until : null;
    },
    /** Resolves to when the next round may come. */
    async failed(scope: Scope, error: SyncError): Promise<number> {
      const failures = ((await find(scope))?.failures ?? 0) + 1;
      const pauseMs = pauseAfter(error, failures);
      const until = clock.now() + pauseMs;
      await keyValue
        .set(keyOf(scope), JSON.stringify({ failures, until }), { ttlMs: pauseMs + KEPT_MS })
        .catch(() => {});
      return until;
    },
    async over(scope: Scope): Promise<void> {
      await keyValue.take(keyOf(scope)).catch(() => {});
    },
  };
}

export type Failures = ReturnType<typeof createFailures>;
