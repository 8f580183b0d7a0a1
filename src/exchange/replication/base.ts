import { HttpError } from '../../kit/errors.ts';
import { loadVersion, type Version } from '../../world/entities/index.ts';
import {
  type EntityRow,
  newestRevisionWith,
  type Project,
  type RecordsDb,
} from '../../world/records/index.ts';
import type { PushedEntity } from './push.contract.ts';

/**
 * The version that a pushed state was made from. A rebuilt database may use the same number for another text, so a checksum
 * must match if one was sent. Null if unknown.
 */
export async function findBase(
  project: Project,
  row: EntityRow,
  { version, base_checksum: checksum }: PushedEntity,
): Promise<Version | null> {
  const named = version - 1 <= row.version ? await load(project, row, version - 1) : null;
  if (checksum === undefined || named?.info.file_checksum === checksum) return named;
  if (row.file_checksum === checksum) return load(project, row, row.version);
  const known = await project.database.read((db: RecordsDb) =>
    newestRevisionWith(db, project.tenantId, row.row_id, checksum),
  );
  return known === undefined ? null : load(project, row, known);
}

/** Null for a version that is not kept. */
const load = (project: Project, row: EntityRow, version: number): Promise<Version | null> =>
  version < 1
    ? Promise.resolve(null)
    : loadVersion(project, row, version).catch((error: unknown) => {
        if (error instanceof HttpError && error.status === 404) return null;
        throw error;
      });
