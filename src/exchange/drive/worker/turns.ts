import type { Database } from '../../../platform/database/database.ts';
import type { KeyValue } from '../../../platform/kv/kv.ts';
import type { Scope } from '../../../world/records/index.ts';

/** Held by the project of a tenant that works, in whatever process. */
const LEASE = 'drive worker';
/** Those that wait ask again within this time. */
export const TURN_MS = 2_000;

/**
 * One of a tenant's projects works at a time, so that many of them leave room for other tenants and stay within the limits of their drive.
 * A project that always has news lets waiting ones go first. If the store forgets them, they only wait longer.
 */
export function createTurns({ database, keyValue }: { database: Database; keyValue: KeyValue }) {
  const waitingOf = (tenantId: string) => `drive turns ${tenantId}`;

  async function isNext({ tenantId, projectId }: Scope): Promise<boolean> {
    const waiting = await keyValue.members(waitingOf(tenantId)).catch((): string[] => []);
    return waiting.length === 0 || waiting.includes(projectId);
  }

  return {
    /** Resolves to `otherwise` while it is another project's turn. */
    async take<Result>(scope: Scope, work: () => Promise<Result>, otherwise: Result): Promise<Result> {
      const { tenantId, projectId } = scope;
      return database.tenant(tenantId).ifFree(
        LEASE,
        async () => {
          if (!(await isNext(scope))) return otherwise;
          await keyValue.leave(waitingOf(tenantId), projectId).catch(() => {});
          return work();
        },
        async () => {
          await keyValue
            .join(waitingOf(tenantId), projectId, projectId, { ttlMs: 2 * TURN_MS })
            .catch(() => {});
          return otherwise;
        },
      );
    },
  };
}

export type Turns = ReturnType<typeof createTurns>;
