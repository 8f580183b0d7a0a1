import { buffer } from 'node:stream/consumers';
import { eachAtOnce } from '../../../kit/each-at-once.ts';
import { folderOf } from '../../../platform/files/paths.ts';
import { nameOf } from '../../../text/paths.ts';
import type { TemplateSet } from '../../../world/definitions/index.ts';
import { agreedStates, type RemoteItem, type SyncDb, type SyncKey } from '../../sync/index.ts';
import { namesakesOf, pathThere, type SeenItem, withoutDoubles } from './doubles.ts';
import { isDriveError } from './drive-failures.ts';
import { childrenOf, type DriveItem } from './drive-items.store.ts';
import { type DriveParts, read } from './drive-parts.ts';
import { whyRenamed } from './names-here.ts';
import {
  fileItem,
  isContent,
  type Placed,
  problemOfPath,
  type ReadItem,
  templateAt,
} from './readable-item.ts';
import { readMain, roleOf } from './roles.ts';
import { hashOf } from './texts.ts';

const AT_ONCE = 8;
export const NOT_VISIBLE =
  'it is no longer visible in the drive: it was deleted for good there, or is no longer shared. It stays here; force a sync to write it there again';

const EXPORT_TYPE = 'text/markdown';

const isMarkdown = (name: string): boolean => name.endsWith('.md');

const isPlaced = (row: DriveItem): row is Placed => row.path !== null && row.kind !== 'folder';

/** Finds what pending rows stand for. Contents are read only where needed. */
export async function readItems(
  parts: DriveParts,
  rows: readonly DriveItem[],
  set: TemplateSet,
): Promise<SeenItem[]> {
  const markdownIn = await markdownBeside(parts, rows);
  const agreed = await agreedOf(
    parts,
    rows.flatMap(({ key }) => key ?? []),
  );
  const namesakes = await namesakesOf(parts, rows);
  const seen: SeenItem[] = [];
  await eachAtOnce(rows, AT_ONCE, async (row) => {
    seen.push(await readItem(parts, row, { set, markdownIn, agreed, namesakes }));
  });
  return withoutDoubles(parts, seen);
}

interface Around {
  set: TemplateSet;
  /** The visible markdown directly in a folder, by the folder's path. */
  markdownIn: ReadonlyMap<string, Placed[]>;
  agreed: ReadonlyMap<SyncKey, { sha256: string; path: string }>;
  /** By their paths. */
  namesakes: ReadonlyMap<string, DriveItem>;
}

const agreedOf = ({ project }: DriveParts, keys: readonly SyncKey[]) => {
  const { tenantId, projectId } = project;
  return project.database.read((db: SyncDb) =>
    agreedStates(db, { tenantId, projectId, replica: 'drive' }, keys),
  );
};

async function markdownBeside(parts: DriveParts, rows: readonly DriveItem[]): Promise<Map<string, Placed[]>> {
  const parents = new Set(
    rows
      .filter(isPlaced)
      .flatMap(({ name, parent_id }) => (isMarkdown(name) && parent_id ? [parent_id] : [])),
  );
  const beside = await read(parts, (db) => childrenOf(db, parts.project, [...parents]));
  return Map.groupBy(
    beside.filter(isPlaced).filter(({ kind, name }) => kind === 'file' && isMarkdown(name)),
    ({ path }) => folderOf(path),
  );
}

const seenAs = (row: DriveItem, problem: string | undefined, item: RemoteItem | null = null): SeenItem => ({
  row: { ...row, problem: problem ?? null },
  item,
  yields: null,
});

const unclaimed = (row: DriveItem): DriveItem => ({ ...row, key: null });

async function readItem(
  parts: DriveParts,
  row: DriveItem,
  { set, markdownIn, agreed, namesakes }: Around,
): Promise<SeenItem> {
  const { path } = row;
  const renamed = path === null ? undefined : whyRenamed(row, nameOf(path));
  if (!isPlaced(row)) return seenAs(unclaimed(row), renamed);
  // Unreadable files stay what they were, so they are not taken for deleted.
  if (row.unseen === 1) return seenAs(row, NOT_VISIBLE);
  if (row.sha256 !== null && row.unwanted === row.sha256) return seenAs(row, renamed);
  if (!isContent(row.path)) return seenAs(unclaimed(row), undefined);
  const problem = problemOfPath(row.path);
  if (problem !== undefined) return seenAs(row, problem);
  const known = row.key === null ? undefined : agreed.get(row.key);
  const isAgreed = known !== undefined && known.sha256 === row.sha256 && known.path === row.path;
  if (isAgreed) return seenAs(row, renamed);
  const role = await roleOf(parts, row, {
    template: templateAt(set, row),
    older: namesakes.get(pathThere(row)),
    beside: markdownIn.get(folderOf(row.path)) ?? [row],
  });
  if (role === 'needless') return { ...seenAs(unclaimed(row), renamed), yields: row.key };
  const found = await (role === 'file' ? readFile(parts, row) : readMain(parts, row, role)).catch(
    (error: unknown) => {
      if (isDriveError(error, 'not_found')) return null;
      if (isDriveError(error, 'forbidden', 'refused')) return { problem: error.message };
      throw error;
    },
  );
  if (found === null) return seenAs({ ...row, unseen: 1 }, NOT_VISIBLE);
  if ('problem' in found) return seenAs(row, found.problem);
  const { item } = found;
  const sha256 = item.kind === 'gone' ? null : item.sha256;
  return seenAs({ ...row, key: item.key, sha256 }, renamed, item);
}

async function readFile(parts: DriveParts, row: Placed): Promise<ReadItem> {
  if (row.kind === 'document') return readDocumentOf(parts, row);
  return { item: fileItem(row.sha256 === null ? { ...row, ...(await hashOf(parts, row)) } : row, null) };
}

async function readDocumentOf({ drive }: DriveParts, row: Placed): Promise<ReadItem> {
  try {
    return { item: fileItem(row, await buffer(await drive.export(row.file_id, EXPORT_TYPE))) };
  } catch (error) {
    if (isDriveError(error, 'forbidden', 'refused'))
      return { problem: `the document cannot be exported: ${error.message}` };
    throw error;
  }
}
