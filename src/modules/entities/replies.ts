import { notFound } from '../../kit/errors.ts';
import { ReadyJson, Reply } from '../../kit/route.ts';
import type { EntityRow } from '../records/records.tables.ts';
import type { Project } from '../records/scope.ts';
import { findDocument } from './entities.store.ts';
import type { Saved } from './entity-commit.ts';
import { etagOf, type Tagged } from './etag.ts';

export const missingEntity = (entityType: string, entityId: string) =>
  notFound(`There is no ${entityType} '${entityId}'`, { code: 'no_such_entity' });

async function find(project: Project, row: EntityRow) {
  const found = await findDocument(project, row.entity_type, row.entity_id);
  if (found === undefined) throw missingEntity(row.entity_type, row.entity_id);
  return found;
}

/** An entity's stored JSON text. */
export const readyJson = async (project: Project, row: EntityRow): Promise<string> =>
  (await find(project, row)).json;

/** An entity's stored JSON with its ETag. */
export async function ready(project: Project, row: EntityRow, status?: number): Promise<Reply> {
  const found = await find(project, row);
  return reply(found.json, found, status);
}

const reply = (json: string, row: Tagged, status?: number): Reply =>
  new Reply(new ReadyJson(json), { headers: { etag: etagOf(row) }, ...(status && { status }) });

/** What a save stored, as it was stored: it need not be read. */
export const readySaved = async (project: Project, { row, json }: Saved, status?: number): Promise<Reply> =>
  json === undefined ? ready(project, row, status) : reply(json, row, status);

/** The same for an edit from a version that the caller had seen: `merged` says whether others' changes are in it. */
export async function readyMerged(project: Project, row: EntityRow, merged: boolean): Promise<Reply> {
  const found = await find(project, row);
  const json = `${found.json.slice(0, -1)},"merged":${merged}}`;
  return new Reply(new ReadyJson(json), { headers: { etag: etagOf(found) } });
}
