import { type Clock, isoTime } from '../../kit/clock.ts';
import { invalid } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { inProject, inTenant } from '../../platform/database/scoped.ts';
import { TOMBSTONE_DAYS } from '../../world/mirror/index.ts';
import { type Project, type Scope, scopeColumns } from '../../world/records/index.ts';
import type { ReplicationDb, SyncMarkRow } from './replication.tables.ts';

const DAY_MS = 86_400_000;

/** How far back a place may lie, in milliseconds: a day less than traces are kept, so that no purge meanwhile hides one. */
export const REACH_MS = (TOMBSTONE_DAYS - 1) * DAY_MS;

/** A mark that is given out again is kept for longer, and this is how exactly. */
const RENEWED_AFTER_MS = DAY_MS;
const KEPT_MS = REACH_MS + 2 * RENEWED_AFTER_MS;

/** A place in the order of a project's changes, as an install keeps it. */
export interface Place {
  seq: number;
  /** When it was given, in milliseconds: traces of what was deleted are kept for a while only. */
  at: number;
  /** Whether everything is being listed, so that what is not listed is gone. */
  complete: boolean;
}

/**
 * Places and the cursors that installs keep of them. A number alone says nothing after a backup of the database was
 * brought back, since other changes get the same numbers then. So each number that is given out is marked by a random
 * token: a database that does not know the token is none that has seen what the install has seen.
 */
export function createPlaces({ clock }: { clock: Clock }) {
  const mark = (project: Project, seq: number): Promise<string> =>
    project.database.write((db: ReplicationDb) =>
      putMark(db, project, { seq, now: clock.now(), token: newToken() }),
    );

  return {
    /** As installs get it: opaque to them. */
    async cursorOf(project: Project, { seq, at, complete }: Place): Promise<string> {
      const known = await findMark(project, seq);
      const isFresh = known !== undefined && known.given_at >= isoTime(clock.now() - RENEWED_AFTER_MS);
      const token = isFresh ? known.token : await mark(project, seq);
      return `${token}-${seq}-${at}${complete ? '-all' : ''}`;
    },
    /** The place that a cursor stands for, or why there is none. 422 for what never was a cursor. */
    async placeOf(project: Project, cursor: string): Promise<Place | 'too_old' | 'of_another_history'> {
      const { token, ...place } = read(cursor);
      if (place.at < clock.now() - REACH_MS) return 'too_old';
      const known = await findMark(project, place.seq);
      return known?.token === token ? place : 'of_another_history';
    },
  };
}

export type Places = ReturnType<typeof createPlaces>;

const CURSOR = /^([0-9a-z]{1,12})-(\d{1,15})-(\d{1,15})(-all)?$/;

function read(cursor: string): Place & { token: string } {
  const [, token, seq, at, all] = CURSOR.exec(cursor) ?? [];
  if (token !== undefined) return { token, seq: Number(seq), at: Number(at), complete: all !== undefined };
  throw invalid('This is no cursor: send one exactly as an earlier reply gave it', {
    code: 'invalid_cursor',
    errors: [{ field: 'cursor', message: 'was not given by this service' }],
  });
}

/** 12 random hexadecimal digits. */
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

/** Resolves to the number's token: the one that it has, or the new one. */
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
