import type { Kysely } from 'kysely';
import { checksumOf } from '../../../kit/crypto.ts';
import { inProject } from '../../../platform/database/scoped.ts';

import {
  changeEntities,
  type EntityRow,
  type EntityWrite,
  type Project,
  putEntities,
  type RecordTables,
  removeEntities,
  TEMPLATE_ROW_TYPE,
  takeSequence,
} from '../../records/index.ts';
import { type ChangeSource, type EntityState, fileTextOf } from '../../texts/index.ts';
import { readTemplateText, type TemplateFile } from './template-kind.ts';

export async function findTemplateRows(project: Project): Promise<Map<string, EntityRow>> {
  const rows = await project.database.read((db: Kysely<RecordTables>) =>
    inProject(db, project)
      .selectFrom('entities')
      .selectAll()
      .where('entity_type', '=', TEMPLATE_ROW_TYPE)
      .execute(),
  );
  return new Map(rows.map((row) => [row.entity_id, row]));
}

/** The path and checksum of each mirrored template, by entity type. */
export async function mirroredTemplates(
  project: Project,
): Promise<Map<string, Pick<EntityRow, 'path' | 'file_checksum'>>> {
  const rows = await project.database.read((db: Kysely<RecordTables>) =>
    inProject(db, project)
      .selectFrom('entities')
      .select(['entity_id', 'path', 'file_checksum'])
      .where('entity_type', '=', TEMPLATE_ROW_TYPE)
      .execute(),
  );
  return new Map(rows.map((row) => [row.entity_id, row]));
}

/** The last good templates, by path: they apply while a file is broken at startup. */
export async function rememberedTemplates(project: Project): Promise<Map<string, TemplateFile>> {
  const rows = await project.database.read((db: Kysely<RecordTables>) =>
    inProject(db, project)
      .selectFrom('entities')
      .innerJoin('entity_documents', 'entity_documents.row_id', 'entities.row_id')
      .select(['path', 'file_checksum', 'json', 'head'])
      .where('entity_type', '=', TEMPLATE_ROW_TYPE)
      .execute(),
  );
  const remembered = new Map<string, TemplateFile>();
  for (const row of rows) {
    const text = fileTextOf(row);
    // Only the exact bytes of the file may stand in for it.
    if (checksumOf(text) !== row.file_checksum) continue;
    const read = readTemplateText(row.path, text, row.file_checksum);
    if ('file' in read) remembered.set(row.path, read.file);
  }
  return remembered;
}

/** Source `file`, with `actor` null, for a change on disk. */
export interface TemplateAuthor {
  source: ChangeSource;
  actor: string | null;
}

export interface TemplateWrite {
  state: EntityState;
  previous: EntityRow | null;
  author: TemplateAuthor;
}

/** Stores new states, each as the next version, and removes the rows of deleted templates. */
export async function storeTemplates(
  project: Project,
  writes: readonly TemplateWrite[],
  gone: readonly EntityRow[],
  at: string,
): Promise<void> {
  if (writes.length === 0 && gone.length === 0) return;
  const entityWrites = writes.map(
    ({ state, previous, author }): EntityWrite => ({
      state,
      stamp: {
        version: (previous?.version ?? 0) + 1,
        created_at: previous?.created_at ?? state.created_at ?? at,
        updated_at: at,
        updated_by: author.actor,
        source: author.source,
      },
      changed: [],
      previous,
    }),
  );
  await changeEntities(project, async (transaction) => {
    const firstSeq = await takeSequence(transaction.db, project, writes.length + gone.length);
    await removeEntities(transaction, gone, null);
    if (entityWrites.length > 0) await putEntities(transaction, entityWrites, firstSeq);
  });
}
