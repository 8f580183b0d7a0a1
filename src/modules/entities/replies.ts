import { notFound } from '../../kit/errors.ts';
import { ReadyJson, Reply } from '../../kit/route.ts';
import type { EntityRow } from '../records/records.tables.ts';
import type { Project } from '../records/scope.ts';
import { findDocument } from './entities.store.ts';
import type { Saved } from './entity-commit.ts';
import { etagIn } from './etag.ts';

export const missingEntity = (entityType: string, entityId: string) =>
  notFound(`There is no ${entityType} '${entityId}'`, { code: 'no_such_entity' });

/** An entity's stored JSON text. */
export async function readyJson(project: Project, row: EntityRow): Promise<string> {
  const json = await findDocument(project, row.entity_type, row.entity_id);
  if (json === undefined) throw missingEntity(row.entity_type, row.entity_id);
  return json;
}

const reply = (json: string, status?: number): Reply =>
  new Reply(new ReadyJson(json), { headers: { etag: etagIn(json) }, ...(status && { status }) });

/** An entity's stored JSON with its ETag. */
export const ready = async (project: Project, row: EntityRow, status?: number): Promise<Reply> =>
  reply(await readyJson(project, row), status);

/** What a save stored, as it was stored: it need not be read. */
export const readySaved = async (project: Project, { row, json }: Saved, status?: number): Promise<Reply> =>
  json === undefined ? ready(project, row, status) : reply(json, status);

/** The same for an edit from a version that the caller had seen: `merged` says whether others' changes are in it. */
export async function readyMerged(project: Project, row: EntityRow, merged: boolean): Promise<Reply> {
  const json = await readyJson(project, row);
  return reply(`${json.slice(0, -1)},"merged":${merged}}`);
}
