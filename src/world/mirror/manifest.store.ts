import type { Kysely } from 'kysely';
import { prepared } from '../../platform/database/prepared.ts';
import { inProject, scopeOf } from '../../platform/database/scoped.ts';
import type { Project, RecordsDb, RecordTables } from '../records/index.ts';

interface PageValues {
  tenant_id: string;
  project_id: string;
  after: string;
  limit: number;
}

const ENTRY_COLUMNS = [
  'path',
  'entry_type',
  'entity_type',
  'entity_id',
  'size',
  'sha256',
  'mtime_ms',
] as const;

export const manifestPage = prepared((db: Kysely<RecordTables>, values: PageValues) =>
  inProject(db, scopeOf(values))
    .selectFrom('files')
    .select(ENTRY_COLUMNS)
    .where('path', '>', values.after)
    .where('deleted_at', 'is', null)
    .orderBy('path')
    .limit(values.limit),
);

export type ManifestRow = Awaited<ReturnType<typeof manifestPage>>[number];

export const findManifestRow = (project: Project, path: string): Promise<ManifestRow | undefined> =>
  project.database.read((db: RecordsDb) =>
    inProject(db, project)
      .selectFrom('files')
      .select(ENTRY_COLUMNS)
      .where('path', '=', path)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  );

/** The manifest's version, and the time from which changes of the project are known. */
export const manifestState = (project: Project) =>
  project.database.read((db: RecordsDb) =>
    inProject(db, project)
      .selectFrom('projects')
      .select(['manifest_version', 'created_at'])
      .executeTakeFirstOrThrow(),
  );

/** Files created, changed or deleted at or after `since` (ISO) and after the sequence number `seq`. */
export const filesChangedSince = (
  project: Project,
  { since, seq, after, limit }: { since: string; seq: number; after: string; limit: number },
) =>
  project.database.read((db: RecordsDb) =>
    inProject(db, project)
      .selectFrom('files')
      .select(['path', 'added_at', 'deleted_at'])
      .where('path', '>', after)
      .where('seq', '>', seq)
      .where((eb) => eb.or([eb('changed_at', '>=', since), eb('deleted_at', '>=', since)]))
      .orderBy('path')
      .limit(limit)
      .execute(),
  );
