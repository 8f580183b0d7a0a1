import type { Kysely } from 'kysely';
import { prepared } from '../../platform/database/prepared.ts';
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

/** Live files in the order of their paths, from the one behind `after`. */
export const manifestPage = prepared((db: Kysely<RecordTables>, values: PageValues) =>
  db
    .selectFrom('files')
    .select(ENTRY_COLUMNS)
    .where('tenant_id', '=', values.tenant_id)
    .where('project_id', '=', values.project_id)
    .where('path', '>', values.after)
    .where('deleted_at', 'is', null)
    .orderBy('path')
    .limit(values.limit),
);

export type ManifestRow = Awaited<ReturnType<typeof manifestPage>>[number];

export const findManifestRow = (project: Project, path: string): Promise<ManifestRow | undefined> =>
  project.database.read((db: RecordsDb) =>
    db
      .selectFrom('files')
      .select(ENTRY_COLUMNS)
      .where('tenant_id', '=', project.tenantId)
      .where('project_id', '=', project.projectId)
      .where('path', '=', path)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  );

/** The manifest's version and since when there is something to tell of the project. */
export const manifestState = (project: Project) =>
  project.database.read((db: RecordsDb) =>
    db
      .selectFrom('projects')
      .select(['manifest_version', 'created_at'])
      .where('tenant_id', '=', project.tenantId)
      .where('project_id', '=', project.projectId)
      .executeTakeFirstOrThrow(),
  );

/** Files that came, went or changed at or after `since` (ISO), and after the change of the number `seq`. */
export const filesChangedSince = (
  project: Project,
  { since, seq, after, limit }: { since: string; seq: number; after: string; limit: number },
) =>
  project.database.read((db: RecordsDb) =>
    db
      .selectFrom('files')
      .select(['path', 'added_at', 'deleted_at'])
      .where('tenant_id', '=', project.tenantId)
      .where('project_id', '=', project.projectId)
      .where('path', '>', after)
      .where('seq', '>', seq)
      .where((eb) => eb.or([eb('changed_at', '>=', since), eb('deleted_at', '>=', since)]))
      .orderBy('path')
      .limit(limit)
      .execute(),
  );
