import type { Kysely } from 'kysely';
import { inProject } from '../../platform/database/scoped.ts';
import {
  changedFiles,
  type EntityRow,
  type FileRow,
  type Project,
  type RecordsDb,
  type RecordTables,
} from '../../world/records/index.ts';

export type ChangedFile = Pick<
  FileRow,
  'path' | 'entry_type' | 'entity_type' | 'entity_id' | 'size' | 'sha256' | 'seq' | 'deleted_at'
>;
export type StoredEntity = EntityRow & { json: string; head: string };

export interface Window {
  after: number;
  limit: number;
  /** Includes files other than markdown. */
  withFiles: boolean;
}

/** New, changed and deleted files after a number, in order. */
export const filesAfter = (
  db: Kysely<RecordTables>,
  project: Project,
  { after, limit, withFiles }: Window,
) => {
  const changed = changedFiles(db, project, after)
    .select(['path', 'entry_type', 'entity_type', 'entity_id', 'size', 'sha256', 'seq', 'deleted_at'])
    .limit(limit + 1);
  return (withFiles ? changed : changed.where('entry_type', '=', 'markdown')).execute();
};

/** Which numbers are still current: each change gives a file a new one. */
export async function seqsStillThere(
  db: Kysely<RecordTables>,
  project: Project,
  seqs: readonly number[],
): Promise<number[]> {
  const rows = await inProject(db, project)
    .selectFrom('files')
    .select('seq')
    .where('seq', 'in', seqs)
    .execute();
  return rows.map(({ seq }) => seq);
}

export const entitiesWithTexts = (
  db: RecordsDb,
  project: Project,
  entityType: string,
  entityIds: readonly string[],
): Promise<StoredEntity[]> =>
  inProject(db, project)
    .selectFrom('entities')
    .innerJoin('entity_documents', 'entity_documents.row_id', 'entities.row_id')
    .selectAll('entities')
    .select(['entity_documents.json', 'entity_documents.head'])
    .where('entities.entity_type', '=', entityType)
    .where('entities.entity_id', 'in', entityIds)
    .execute();

/** The first number at or after a time (ISO). */
export async function firstFileSince(
  db: RecordsDb,
  project: Project,
  since: string,
): Promise<number | undefined> {
  const row = await inProject(db, project)
    .selectFrom('files')
    .select('seq')
    .where((eb) => eb.or([eb('changed_at', '>=', since), eb('deleted_at', '>=', since)]))
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  return row?.seq;
}
