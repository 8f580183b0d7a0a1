import { type Clock, isoTime } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { createRegularWork } from '../../kit/regular-work.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Executor } from '../../platform/database/dialect.ts';
import type { NoteAccessChange } from '../access-changes/index.ts';
import { endedGrants, lockGrants, storeGrants } from './plan-grants.store.ts';
import { GRANTED_SOURCES, type PlanGrant, type PlanGrants, type PlanSource } from './plan-grants.ts';

export interface PlanGrantsOptions {
  database: Database;
  clock: Clock;
  noteChange: NoteAccessChange;
}

type Change = (grants: Map<PlanSource, PlanGrant>) => void;

/** Keeps the plans that a tenant has from several sources, and its row at the highest of them. */
export function createPlanGrants({ database, clock, noteChange }: PlanGrantsOptions) {
  const { forUpdate } = database.dialect;

  /** False if there is no such tenant. */
  async function change(db: Executor, tenantId: string, make: Change): Promise<boolean> {
    const locked = await lockGrants(db, tenantId, forUpdate);
    if (locked === null) return false;
    make(locked.grants);
    const nowMs = clock.now();
    await storeGrants(db, locked, { noteChange, nowMs, updatedAt: isoTime(nowMs) });
    return true;
  }

  const put: PlanGrants['put'] = async (db, tenantId, given) => {
    await change(db, tenantId, (grants) => {
      for (const source of GRANTED_SOURCES) {
        const grant = given[source];
        if (grant === null) grants.delete(source);
        else if (grant !== undefined) grants.set(source, grant);
      }
    });
  };

  return {
    put,
    /** Changes what the tenant has without anything bought or given. */
    changeBase: (tenantId: string, make: (base: PlanGrant) => PlanGrant): Promise<boolean> =>
      database.system.write((db) =>
        change(db, tenantId, (grants) => {
          const base = grants.get('base');
          if (base) grants.set('base', make(base));
        }),
      ),
    /** Takes away what has ended. A tenant where that fails, such as a damaged one, keeps no other from its turn. */
    async endDue(): Promise<void> {
      const problems: string[] = [];
      let after = '';
      for (;;) {
        const ended = await database.system.read((db: Parameters<typeof endedGrants>[0]) =>
          endedGrants(db, clock.now(), after),
        );
        for (const { tenant_id: tenantId } of ended)
          await database.system
            .write((db) => change(db, tenantId, () => {}))
            .catch((error: unknown) => problems.push(`${tenantId}: ${messageOf(error)}`));
        const last = ended.at(-1);
        if (last === undefined) break;
        after = last.tenant_id;
      }
      if (problems.length > 0) throw new Error(problems.join('; '));
    },
  };
}

const EVERY_MS = 20_000;

export const createGrantEnds = (grants: ReturnType<typeof createPlanGrants>, log: Log) =>
  createRegularWork({ what: 'the end of granted plans', everyMs: EVERY_MS, log, work: grants.endDue });
