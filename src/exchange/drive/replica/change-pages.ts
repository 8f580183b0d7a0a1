import type { TemplateSet } from '../../../world/definitions/index.ts';
import {
  type ChangePage,
  fileKey,
  isEntityKey,
  keepUnlisted,
  type RemoteItem,
  type SyncKey,
  syncedProject,
} from '../../sync/index.ts';
import { OWN } from './apply-files.ts';
import type { SeenItem } from './doubles.ts';
import { isDriveError } from './drive-failures.ts';
import {
  changeDriveItems,
  type DriveItem,
  goneKeys,
  hasSettledPending,
  itemsOfKeys,
  itemsWithProblem,
  pendingAfter,
  putDriveItems,
  settlePending,
  unclaimedMarkdown,
} from './drive-items.store.ts';
import { type DriveParts, read, write } from './drive-parts.ts';
import { lookAtAll, lookSince } from './look.ts';
import { readItems } from './read-items.ts';
import { removeEmptyFolders, trashAsSeen } from './remove-files.ts';

const PAGE = 200;

/** Marks what a listing of everything found. No token of the drive's looks like it. */
const LISTING = '-';

/**
 * The progress of a pull. `since`: everything before the token was taken over. Otherwise pending rows are handed out, `definitions`
 * first; `pause` is an empty page after them, since the next page is asked for while one is taken over.
 */
type Step = { at: 'since' | 'definitions' | 'pause' | 'rest'; token: string; after: string; isNews: boolean };

/** In the place of an id: the drive has more pages of changes. */
const MORE = '+';

const LETTERS = { since: 'T', definitions: 'D', pause: 'P', rest: 'R' } as const;

const cursorOf = ({ at, token, after, isNews }: Step): string =>
  [LETTERS[at], after, isNews ? '1' : '0', token].join(':');

function stepOf(cursor: string): Step {
  const [letter = '', after = '', isNews, ...token] = cursor.split(':');
  const at = (Object.keys(LETTERS) as (keyof typeof LETTERS)[]).find((name) => LETTERS[name] === letter);
  return { at: at ?? 'since', token: token.join(':'), after, isNews: isNews === '1' };
}

/** One page of what changed since the cursor; null lists everything. */
export async function changePage(parts: DriveParts, cursor: string | null): Promise<ChangePage> {
  const step = cursor === null ? await listed(parts) : await nextStep(parts, stepOf(cursor));
  if (step.at === 'since') return pageOf(parts, [], step);
  if (step.at === 'pause') return pageOf(parts, [], { ...step, at: 'rest' });
  return handOut(parts, step);
}

async function listed(parts: DriveParts): Promise<Step> {
  // Before the listing: what happens meanwhile comes with the changes.
  const token = await parts.drive.startPageToken();
  await lookAtAll(parts, LISTING);
  return { at: 'definitions', token, after: '', isNews: true };
}

async function nextStep(parts: DriveParts, step: Step): Promise<Step> {
  if (step.at !== 'since') return step;
  const { project } = parts;
  const { token } = step;
  const isFirst = step.after === '';
  if (isFirst && (await read(parts, (db) => hasSettledPending(db, project, token))))
    await write(parts, (db) => settlePending(db, project, { token, own: OWN }));
  try {
    const found = await lookSince(parts, token);
    const isNews = step.isNews || found.isNews;
    if (found.hasMore) return { at: 'since', token: found.token, after: MORE, isNews };
    return { at: isNews ? 'definitions' : 'since', token: found.token, after: '', isNews };
  } catch (error) {
    if (isDriveError(error, 'invalid_token')) return listed(parts);
    throw error;
  }
}

async function handOut(parts: DriveParts, step: Step): Promise<ChangePage> {
  const { project } = parts;
  const definitions = step.at === 'definitions';
  const rows = await read(parts, (db) =>
    pendingAfter(db, project, { fileId: step.after, limit: PAGE, definitions }),
  );
  const set = await parts.templates.of(project);
  const seen = await readAndStore(parts, rows, set);
  const items = seen.flatMap(({ item }) => item ?? []);
  const last = rows.at(-1);
  if (rows.length === PAGE && last) return pageOf(parts, items, { ...step, after: last.file_id });
  if (definitions) {
    const at = items.length > 0 ? 'pause' : 'rest';
    return pageOf(parts, items, { ...step, at, after: '' });
  }
  const others = await goneItems(parts, set, releasedBy(rows, seen));
  return pageOf(parts, [...items, ...others], { ...step, at: 'since', after: '', isNews: false });
}

async function readAndStore(
  parts: DriveParts,
  rows: readonly DriveItem[],
  set: TemplateSet,
): Promise<SeenItem[]> {
  const seen = await readItems(parts, rows, set);
  // A file that yields keeps its key until it lies in the trash, so that after a crash it yields again.
  await write(parts, (db) =>
    putDriveItems(
      db,
      parts.project,
      seen.map(({ row, yields }) => ({ ...row, key: yields ?? row.key })),
    ),
  );
  await yieldTo(parts, seen);
  return seen;
}

/**
 * Two installs made the same file before they saw each other's: the newer one goes to the trash. An entity's text, which is the local
 * one, is sent into the older file as a change without a common ancestor.
 */
async function yieldTo(parts: DriveParts, seen: readonly SeenItem[]): Promise<void> {
  const yielding = seen.filter(({ yields }) => yields !== null);
  if (yielding.length === 0) return;
  const { project } = parts;
  await keepUnlisted(
    syncedProject(project, 'drive'),
    yielding.flatMap(({ yields }) => yields ?? []),
  );
  for (const { row } of yielding) await trashAsSeen(parts, row);
  const ids = yielding.map(({ row }) => row.file_id);
  await write(parts, (db) => changeDriveItems(db, project, ids, { key: null }));
  await removeEmptyFolders(
    parts,
    yielding.flatMap(({ row }) => row.parent_id ?? []),
  );
}

/** Keys that no row stands for any more. First another file of the same entity takes the place of one that went. */
async function goneItems(
  parts: DriveParts,
  set: TemplateSet,
  released: readonly SyncKey[],
): Promise<RemoteItem[]> {
  const { project } = parts;
  const claimed = new Set(
    (await read(parts, (db) => itemsOfKeys(db, project, released))).map(({ key }) => key),
  );
  const known = await read(parts, (db) => goneKeys(db, project));
  const gone = [...new Set([...known, ...released.filter((key) => !claimed.has(key))])];
  const doubles = gone.some(isEntityKey) ? await read(parts, (db) => unclaimedMarkdown(db, project)) : [];
  const items = (await readAndStore(parts, doubles, set)).flatMap(({ item }) => item ?? []);
  const taken = new Set(items.map(({ key }) => key));
  return [...items, ...gone.filter((key) => !taken.has(key)).map((key) => ({ key, kind: 'gone' as const }))];
}

/** Keys that rows stood for, and do not any more. */
function releasedBy(before: readonly DriveItem[], seen: readonly SeenItem[]): SyncKey[] {
  const now = new Map(seen.map(({ row }) => [row.file_id, row.key]));
  return before.flatMap(({ file_id, key }) => (key !== null && now.get(file_id) !== key ? [key] : []));
}

async function pageOf(parts: DriveParts, items: readonly RemoteItem[], next: Step): Promise<ChangePage> {
  const hasMore = next.at !== 'since' || next.after !== '';
  const left = hasMore ? [] : await read(parts, (db) => itemsWithProblem(db, parts.project));
  return {
    items: uniqueItems(items),
    paths: [],
    isListing: false,
    isRestored: false,
    hasMore,
    cursor: cursorOf(next),
    left: left.map(({ path, problem }) => ({ key: fileKey(path ?? ''), reason: problem ?? '' })),
  };
}

const uniqueItems = (items: readonly RemoteItem[]): RemoteItem[] => [
  ...new Map(items.map((item) => [item.key, item])).values(),
];
