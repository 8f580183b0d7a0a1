import { isMap, type JsonMap } from '../../text/json.ts';
import { type DocumentProblem, editYamlFile, readYamlFile } from '../frontmatter/index.ts';
import { type AssetEntry, type AssetRelationship, ENTRY_TEXTS } from './entry.ts';
import { isAssetId } from './names.ts';
import { isAssetStatus } from './status.ts';

export interface SidecarProblem {
  key: string;
  line: number;
  reason: string;
}

export interface Sidecar {
  /** By the asset's path from the sidecar's folder. */
  entries: ReadonlyMap<string, AssetEntry>;
  problems: SidecarProblem[];
  /** By the same paths. */
  invalidIds: ReadonlyMap<string, string>;
}

export type SidecarResult = ({ ok: true } & Sidecar) | { ok: false; problem: DocumentProblem };

const HEADER = '# What is said about the files of this folder. Edit it as you like.\n';

/** Invalid values are reported and left out, never guessed. */
export function readSidecar(text: string): SidecarResult {
  const read = readYamlFile(text);
  if (!read.ok) return read;
  const problems: SidecarProblem[] = [];
  const entries = new Map<string, AssetEntry>();
  const invalidIds = new Map<string, string>();
  for (const [key, value] of Object.entries(read.data)) {
    const report = (field: string, reason: string) =>
      problems.push({ key, line: read.lineOf(field === '' ? [key] : [key, field]), reason });
    if (isMap(value)) {
      entries.set(key, readEntry(value, report));
      const { id } = value;
      if (id !== undefined && entries.get(key)?.id === undefined) invalidIds.set(key, String(id));
    } else if (value !== null) report('', 'must be a map, such as {status: approved}');
  }
  return { ok: true, entries, problems, invalidIds };
}

type Report = (field: string, reason: string) => void;

function readEntry(map: JsonMap, report: Report): AssetEntry {
  const entry: AssetEntry = {};
  const { id, status, ai_generated: aiGenerated } = map;
  if (id !== undefined) {
    if (typeof id === 'string' && isAssetId(id)) entry.id = id;
    else report('id', `id '${String(id)}' must be lower-case letters, digits and underscores`);
  }
  if (status !== undefined) {
    if (isAssetStatus(status)) entry.status = status;
    else report('status', `status '${String(status)}' is not known`);
  }
  if (typeof aiGenerated === 'boolean') entry.ai_generated = aiGenerated;
  else if (aiGenerated !== undefined) report('ai_generated', 'ai_generated must be true or false');
  for (const name of Object.keys(ENTRY_TEXTS) as (keyof typeof ENTRY_TEXTS)[]) {
    const value = map[name];
    if (typeof value === 'string') entry[name] = value;
    else if (value !== undefined && value !== null) report(name, `${name} must be text`);
  }
  for (const name of ['tags', 'keywords'] as const) {
    const value = map[name];
    if (value === undefined || value === null) continue;
    if (Array.isArray(value)) entry[name] = value.filter((item) => typeof item === 'string');
    if (entry[name]?.length !== (value as unknown[]).length) report(name, `${name} must be a list of texts`);
  }
  const ties = readRelationships(map.relationships, report);
  if (ties.length > 0) entry.relationships = ties;
  return entry;
}

function readRelationships(value: unknown, report: Report): AssetRelationship[] {
  if (value === undefined || value === null) return [];
  const items: unknown[] = Array.isArray(value) ? value : [value];
  const ties = items.flatMap((item) => relationshipOf(item) ?? []);
  if (ties.length < items.length)
    report('relationships', 'each relationship needs target_type, target_id and relationship_type');
  return ties;
}

function relationshipOf(item: unknown): AssetRelationship | undefined {
  if (!isMap(item)) return undefined;
  const { target_type: type, target_id: id, relationship_type: relationship } = item;
  if ((type !== 'asset' && type !== 'entity') || typeof id !== 'string' || typeof relationship !== 'string')
    return undefined;
  return { target_type: type, target_id: id, relationship_type: relationship };
}

/** Null removes a value, or the whole entry. */
export type EntryChange = { [Key in keyof AssetEntry]?: AssetEntry[Key] | null } | null;

/** Only the lines concerned change. '' stands for no file, before and after. Throws DocumentError for an unreadable text. */
export function editSidecar(text: string, changes: ReadonlyMap<string, EntryChange>): string {
  const read = readYamlFile(text);
  const data = read.ok ? read.data : {};
  const set: JsonMap = {};
  const unset: string[] = [];
  for (const [key, change] of changes) {
    const next = change === null ? {} : changed(data[key], change);
    if (Object.keys(next).length > 0) set[key] = next;
    else unset.push(key);
  }
  const isNew = text === '';
  const edited = editYamlFile(isNew ? HEADER : text, { set, unset });
  return isNew && Object.keys(set).length === 0 ? '' : edited;
}

function changed(present: unknown, change: NonNullable<EntryChange>): JsonMap {
  const next: JsonMap = isMap(present) ? { ...present } : {};
  for (const [name, value] of Object.entries(change)) {
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    if (isEmpty) delete next[name];
    else if (value !== undefined) next[name] = value;
  }
  return next;
}
