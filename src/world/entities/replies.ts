import { ReadyJson, Reply } from '../../kit/route.ts';
import { type EntityRow, missingEntity, type Project } from '../records/index.ts';
import { findDocument } from './entities.store.ts';
import type { Saved } from './entity-commit.ts';
import { etagIn } from './etag.ts';

export async function readyJson(project: Project, row: EntityRow): Promise<string> {
  const json = await findDocument(project, row.entity_type, row.entity_id);
  if (json === undefined) throw missingEntity(row.entity_type, row.entity_id);
  return json;
}

/** A probable mistake that is not an error; a field that the template does not know is kept. */
export interface Warning {
  field: string;
  message: string;
}

const withMore = (json: string, more: object): string => {
  const inner = JSON.stringify(more).slice(1, -1);
  return inner === '' ? json : `${json.slice(0, -1)},${inner}}`;
};

const reply = (json: string, status?: number): Reply =>
  new Reply(new ReadyJson(json), { headers: { etag: etagIn(json) }, ...(status && { status }) });

export const ready = async (project: Project, row: EntityRow, status?: number): Promise<Reply> =>
  reply(await readyJson(project, row), status);

/** Replies with the JSON that a save stored, without reading it again. */
export async function readySaved(
  project: Project,
  { row, json }: Saved,
  { status, warnings }: { status?: number; warnings: readonly Warning[] },
): Promise<Reply> {
  const stored = json ?? (await readyJson(project, row));
  return reply(withMore(stored, warnings.length > 0 ? { warnings } : {}), status);
}

/** The same for an edit from an older version: `merged` says whether it includes changes of others. */
export async function readyMerged(
  project: Project,
  row: EntityRow,
  merged: boolean,
  warnings: readonly Warning[],
): Promise<Reply> {
  const json = await readyJson(project, row);
  return reply(withMore(json, { merged, ...(warnings.length > 0 && { warnings }) }));
}
