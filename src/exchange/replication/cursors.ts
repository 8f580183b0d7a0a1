import { type Clock, isoTime } from '../../kit/clock.ts';
import { invalid } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { inProject, inTenant } from '../../platform/database/scoped.ts';
import { TOMBSTONE_DAYS } from '../../world/mirror/index.ts';
import { type Project, type Scope, scopeColumns } from '../../world/records/index.ts';
import type { ReplicationDb, SyncMarkRow } from './replication.tables.ts';

const DAY_MS = 86_400_000;

/** How old a cursor may be (ms): a day less than tombstones are kept, so that no purge can hide a deletion. */
export const REACH_MS = (TOMBSTONE_DAYS - 1) * DAY_MS;

/** A mark in use is renewed, at most once in this time. */
const RENEWED_AFTER_MS = DAY_MS;
const KEPT_MS = REACH_MS + 2 * RENEWED_AFTER_MS;

/** A position in the order of a project's changes. */
export interface CursorPosition {
  seq: number;
  /** When it was issued (ms): tombstones are kept only for a while. */
  at: number;
  /** During a full listing: whatever it does not name is gone. */
  complete: boolean;
}

/**
 * Issues and reads the cursors that installations keep. After a restore from a backup, numbers are used a second time. So
 * each issued number is marked with a random token: a database without the token has not seen what the installation has
 * seen.
 */
export function createCursors({ clock }: { clock: Clock }) {
  const mark = (project: Project, seq: number): Promise<string> =>
    project.database.write((db: ReplicationDb) =>
      putMark(db, project, { seq, now: clock.now(), token: newToken() }),
    );

  return {
    /** Opaque to installations. */
    async cursorOf(project: Project, { seq, at, complete }: CursorPosition): Promise<string> {
      const known = await findMark(project, seq);
      const isFresh = known !== undefined && known.given_at >= isoTime(clock.now() - RENEWED_AFTER_MS);
      const token = isFresh ? known.token : await mark(project, seq);
      return `${token}-${seq}-${at}${complete ? '-all' : ''}`;
    },
    /** Or the reason why the cursor is useless here. 422 if it is not a cursor at all. */
    async positionOf(
      project: Project,
      cursor: string,
    ): Promise<CursorPosition | 'too_old' | 'of_another_history'> {
      const { token, ...position } = read(cursor);
      if (position.at < clock.now() - REACH_MS) return 'too_old';
      const known = await findMark(project, position.seq);
      return known?.token === token ? position : 'of_another_history';
    },
  };
}

export type Cursors = ReturnType<typeof createCursors>;

const CURSOR = /^([0-9a-z]{1,12})-(\d{1,15})-(\d{1,15})(-all)?$/;

function read(cursor: string): CursorPosition & { token: string } {
  const [, token, seq, at, all] = CURSOR.exec(cursor) ?? [];
  if (token !== undefined) return { token, seq: Number(seq), at: Number(at), complete: all !== undefined };
  throw invalid('This is not a cursor: send one exactly as you got it from an earlier reply', {
    code: 'invalid_cursor',
    errors: [{ field: 'cursor', message: 'was not given by this service' }],
  });
}

const newToken = (): string => newId().slice(-12);

const findMark = (
  project: Project,
  seq: number,
): Promise<Pick<SyncMarkRow, 'token' | 'given_at'> | undefined> =>
  project.database.read((db: ReplicationDb) =>
    inProject(db, project)
      .selectFrom('sync_marks')
      .select(['token', 'given_at'])
      .where('seq', '=', seq)
      .executeTakeFirst(),
  );

/** Resolves to the token already stored for the number, or the new one. */
async function putMark(
  db: ReplicationDb,
  scope: Scope,
  { seq, now, token }: { seq: number; now: number; token: string },
): Promise<string> {
  await inTenant(db, scope.tenantId)
    .deleteFrom('sync_marks')
    .where('given_at', '<', isoTime(now - KEPT_MS))
    .execute();
  const given_at = isoTime(now);
  const marked = await db
    .insertInto('sync_marks')
    .values({ ...scopeColumns(scope), seq, token, given_at })
    .onConflict((known) => known.columns(['tenant_id', 'project_id', 'seq']).doUpdateSet({ given_at }))
    .returning('token')
    .executeTakeFirstOrThrow();
  return marked.token;
}
