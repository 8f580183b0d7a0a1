import { notFound } from '../../kit/errors.ts';
import { ReadyJson, Reply } from '../../kit/route.ts';
import type { EntityRow } from '../records/records.tables.ts';
import type { Project } from '../records/scope.ts';
import { findDocument } from './entities.store.ts';
import { etagOf } from './etag.ts';

export const missingEntity = (entityType: string, entityId: string) =>
  notFound(`There is no ${entityType} '${entityId}'`, { code: 'no_such_entity' });

/** An entity's stored JSON with its ETag. */
export async function ready(project: Project, row: EntityRow, status?: number): Promise<Reply> {
  const found = await findDocument(project, row.entity_type, row.entity_id);
  if (found === undefined) throw missingEntity(row.entity_type, row.entity_id);
  return new Reply(new ReadyJson(found.json), {
    headers: { etag: etagOf(found) },
    ...(status && { status }),
  });
}
