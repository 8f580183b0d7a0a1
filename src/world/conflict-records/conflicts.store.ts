import { sql } from 'kysely';
import { inProject, inTenant } from '../../platform/database/scoped.ts';
import { type Project, takeSequence } from '../records/index.ts';
import type { ConflictDb, ConflictRow, ConflictStatus, NewRow } from './conflicts.tables.ts';

/** Stores a conflict; a repeated incoming text for the same entity is the same conflict until it is resolved. */
export const keepConflictRow = (project: Project, row: NewRow): Promise<ConflictRow> =>
  project.database.write(async (db: ConflictDb) => {
    const seq = await takeSequence(db, project, 1);
    const known = await inTenant(db, project.tenantId)
      .selectFrom('conflicts')
      .selectAll()
      .where('row_id', '=', row.row_id)
      .where('remote_checksum', '=', row.remote_checksum)
      .where('status', '=', 'unresolved')
      .executeTakeFirst();
    if (known) return known;
    const numbered = { ...row, seq };
    await db.insertInto('conflicts').values(numbered).execute();
    return numbered;
  });

const ofProject = (db: ConflictDb, project: Project, status: ConflictStatus | null) => {
  const all = inProject(db, project).selectFrom('conflicts');
  return status === null ? all : all.where('status', '=', status);
};

const LONGEST_PAGE = 8_000_000;

/** A page of conflict ids, newest first, and the total. Long texts make a page shorter than `limit`, but never empty. */
export const listConflictIds = (
  project: Project,
  page: { status: ConflictStatus | null; limit: number; offset: number },
): Promise<{ total: number; ids: string[] }> =>
  project.database.read(async (db: ConflictDb) => {
    const { total } = await ofProject(db, project, page.status)
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await ofProject(db, project, page.status)
      .select((eb) => [
        'conflict_id',
        sql<number>`length(${eb.ref('local')}) + length(${eb.ref('remote')}) + coalesce(length(${eb.ref('base')}), 0)`.as(
          'characters',
        ),
      ])
      .orderBy('detected_at', 'desc')
      .orderBy('conflict_id')
      .limit(page.limit)
      .offset(page.offset)
      .execute();
    let characters = 0;
    const isShort = (row: { characters: number }) => {
      characters += Number(row.characters);
      return characters <= LONGEST_PAGE;
    };
    const end = rows.findIndex((row) => !isShort(row));
    const shown = end < 0 ? rows : rows.slice(0, Math.max(1, end));
    return { total: Number(total), ids: shown.map(({ conflict_id }) => conflict_id) };
  });

export const unresolvedConflictIds = (project: Project): Promise<string[]> =>
  project.database.read(async (db: ConflictDb) => {
    const rows = await ofProject(db, project, 'unresolved').select('conflict_id').execute();
    return rows.map(({ conflict_id }) => conflict_id);
  });

/** Conflicts that a user's own saves of an entity left. */
export const triesOf = (
  project: Project,
  rowId: number,
  userId: string,
): Promise<Pick<ConflictRow, 'conflict_id' | 'conflicting_fields'>[]> =>
  project.database.read((db: ConflictDb) =>
    ofProject(db, project, 'unresolved')
      .select(['conflict_id', 'conflicting_fields'])
      .where('row_id', '=', rowId)
      .where('is_pushed', '=', 0)
      .where('copy_path', 'is', null)
      .where(project.database.dialect.jsonHas('remote', ['updated_by'], userId))
      .orderBy('seq')
      .execute(),
  );

export const findConflictRow = (project: Project, conflictId: string): Promise<ConflictRow | undefined> =>
  project.database.read((db: ConflictDb) =>
    ofProject(db, project, null).selectAll().where('conflict_id', '=', conflictId).executeTakeFirst(),
  );

export const conflictsAfter = (project: Project, after: number, limit: number): Promise<ConflictRow[]> =>
  project.database.read((db: ConflictDb) =>
    ofProject(db, project, null).selectAll().where('seq', '>', after).orderBy('seq').limit(limit).execute(),
  );

export const firstConflictSince = (project: Project, since: string): Promise<number | undefined> =>
  project.database.read(async (db: ConflictDb) => {
    const row = await ofProject(db, project, null)
      .select('seq')
      .where((eb) => eb.or([eb('detected_at', '>=', since), eb('resolved_at', '>=', since)]))
      .orderBy('seq')
      .limit(1)
      .executeTakeFirst();
    return row?.seq;
  });

export async function markResolved(
  db: ConflictDb,
  project: Project,
  conflictId: string,
  how: Pick<ConflictRow, 'resolution' | 'resolved_at' | 'resolved_by'>,
): Promise<boolean> {
  const seq = await takeSequence(db, project, 1);
  const marked = await inTenant(db, project.tenantId)
    .updateTable('conflicts')
    .set({ ...how, status: 'resolved', seq })
    .where('conflict_id', '=', conflictId)
    .where('status', '=', 'unresolved')
    .returning('conflict_id')
    .execute();
  return marked.length > 0;
}

export const wasResolved = (project: Project, copy: { path: string; row_id: number; checksum: string }) =>
  project.database.read((db: ConflictDb) =>
    ofProject(db, project, 'resolved')
      .selectAll()
      .where('row_id', '=', copy.row_id)
      .where('copy_path', '=', copy.path)
      .where('remote_checksum', '=', copy.checksum)
      .executeTakeFirst(),
  );
