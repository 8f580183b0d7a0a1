import { invalid, notFound } from '../../kit/errors.ts';
import { type RecordsDb, readRevision, storedFileText } from '../records/index.ts';
import { listPastEntities, type PastEntity, type PastProject } from './history.store.ts';

/** 422 for an invalid time. */
export function timeOf(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw invalid(`'${text}' is not a valid time: write it like 2026-03-02T10:15:00Z`, {
    code: 'invalid_time',
    errors: [{ field: 'at', message: 'is no time' }],
  });
}

export async function pastText(
  project: PastProject,
  { row_id, version, entity_type, entity_id }: PastEntity,
): Promise<string> {
  const kept = await readRevision(project, row_id, version);
  const text = kept?.text ?? (await project.database.read((db: RecordsDb) => storedFileText(db, row_id)));
  if (text !== undefined) return text;
  throw notFound(`Version ${version} of ${entity_type} '${entity_id}' is no longer kept`, {
    code: 'no_such_version',
  });
}

const PAGE = 200;

/** The files of all entities as they were at a time, page by page. */
export async function* pastFiles(
  project: PastProject,
  at: string,
): AsyncGenerator<{ path: string; text: string }> {
  const query = { at, entityType: null, entityId: null };
  for (let offset = 0; ; offset += PAGE) {
    const { rows } = await listPastEntities(project, query, { limit: PAGE, offset });
    for (const row of rows) yield { path: row.path, text: await pastText(project, row) };
    if (rows.length < PAGE) return;
  }
}
