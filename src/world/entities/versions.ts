import type { ComparedContent } from '../../content/compare.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { notFound } from '../../kit/errors.ts';
import {
  type EntityRow,
  type Project,
  type RecordsDb,
  type RevisionInfo,
  readRevision,
  storedFileText,
} from '../records/index.ts';
import { readEntityContent } from '../texts/index.ts';

export type VersionInfo = Omit<RevisionInfo, 'row_id' | 'tenant_id' | 'entity_id' | 'path'>;

export interface Version {
  info: VersionInfo;
  text: string;
}

export const infoOf = (row: EntityRow): VersionInfo => ({
  ...row,
  parent: null,
  created_at: row.updated_at,
  created_by: row.updated_by,
});

/** Loads a version of an entity, the present one included. 404 if it is not kept. */
export async function loadVersion(project: Project, row: EntityRow, version: number): Promise<Version> {
  const found =
    version === row.version
      ? await presentVersion(project, row)
      : await readRevision(project, row.row_id, version);
  if (found) return found;
  throw notFound(
    `${row.entity_type} '${row.entity_id}' has no version ${version}, or it is no longer kept; the newest is ${row.version}`,
    { code: 'no_such_version' },
  );
}

async function presentVersion(project: Project, row: EntityRow): Promise<Version | undefined> {
  const text = await project.database.read((db: RecordsDb) => storedFileText(db, row.row_id));
  const isStill = text !== undefined && checksumOf(text) === row.file_checksum;
  // A concurrent commit has moved this state to the revisions.
  return isStill ? { info: infoOf(row), text } : readRevision(project, row.row_id, row.version);
}

/** The content of a kept text; an unreadable one becomes the body. */
export function contentOf(
  template: TemplateDefinition,
  row: Pick<EntityRow, 'path'>,
  { info, text }: { info: Pick<VersionInfo, 'name' | 'status'>; text: string },
): ComparedContent {
  const content = readEntityContent(template, { path: row.path, text });
  return {
    name: info.name,
    status: info.status,
    fields: content?.own_fields ?? {},
    markdown_body: content?.markdown_body ?? text,
  };
}
