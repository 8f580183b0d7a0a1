import { createPauses } from '../../../kit/pauses.ts';
import { type FileStat, FilesError, type FileWrite } from '../files.ts';
import { folderOf, safePath } from '../paths.ts';
import type { DraftThread } from './draft-thread.ts';
import { filesError } from './local-errors.ts';
import { type Draft, draftOf, dropDraft, putInPlace, type WriteParts } from './local-write.ts';

type Result = PromiseSettledResult<FileStat>;

export interface WriteManyParts extends WriteParts {
  /** Null if the calling thread has to do everything. */
  draftThread: DraftThread | null;
}

const MOST_OPEN = 128;
/** Fewer files than this are written faster than a thread could take them over. */
const FEW = 16;

const failed = (error: unknown, path: string): Result => ({
  status: 'rejected',
  reason: filesError(error, 'write', path),
});

/** As `writeAtomically`, but with one sync for all drafts and one for all folders. */
export async function writeManyAtomically(
  parts: WriteManyParts,
  files: readonly FileWrite[],
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < files.length; at += MOST_OPEN)
    results.push(...(await writeTogether(parts, files.slice(at, at + MOST_OPEN))));
  return results;
}

async function writeTogether(parts: WriteManyParts, files: readonly FileWrite[]): Promise<Result[]> {
  const { syscalls, durability } = parts;
  const results = new Map<string, Result>();
  const drafts: Draft[] = [];
  for (const [path, draft] of await draftsOf(parts, files)) {
    if (draft instanceof FilesError) results.set(path, { status: 'rejected', reason: draft });
    else drafts.push(draft);
  }
  const synced = await durability.syncFiles(drafts.map(({ fd }) => fd));
  const placed: FileStat[] = [];
  const oldNames: string[] = [];
  for (const [index, draft] of drafts.entries()) {
    const { path } = draft;
    try {
      const sync = synced[index];
      if (sync?.status === 'rejected') throw sync.reason;
      const { stat, oldName } = putInPlace(syscalls, draft);
      placed.push(stat);
      if (oldName !== undefined) oldNames.push(oldName);
      syscalls.closeSync(draft.fd);
    } catch (error) {
      dropDraft(syscalls, draft);
      results.set(path, failed(error, path));
    }
  }
  await Promise.all(oldNames.map(durability.removeName));
  const folders = [...new Set(placed.map(({ path }) => folderOf(path)))];
  const entries = await durability.syncFolders(folders);
  const syncOf = new Map(folders.map((folder, index) => [folder, entries[index]]));
  for (const stat of placed) {
    const sync = syncOf.get(folderOf(stat.path));
    const isLost = sync?.status === 'rejected';
    results.set(stat.path, isLost ? failed(sync.reason, stat.path) : { status: 'fulfilled', value: stat });
  }
  return files.flatMap(({ path }) => results.get(path) ?? []);
}

/** If there are many new folders, the thread creates them with their drafts. */
async function draftsOf(
  parts: WriteManyParts,
  files: readonly FileWrite[],
): Promise<Map<string, Draft | FilesError>> {
  const fresh = files.length < FEW ? [] : files.filter(({ newFolder }) => newFolder);
  const made = await draftsBeside(parts, fresh);
  const rest = files.filter(({ path }) => !made.has(path));
  return new Map([...made, ...(await draftsHere(parts, rest))]);
}

async function draftsHere(
  parts: WriteManyParts,
  files: readonly FileWrite[],
): Promise<Map<string, Draft | FilesError>> {
  const drafts = new Map<string, Draft | FilesError>();
  const pause = createPauses();
  for (const file of files) {
    drafts.set(
      file.path,
      await draftOf(parts, file).catch((error: unknown) => filesError(error, 'write', file.path)),
    );
    await pause();
  }
  return drafts;
}

async function draftsBeside(
  parts: WriteManyParts,
  files: readonly FileWrite[],
): Promise<Map<string, Draft | FilesError>> {
  const { root, durability, draftThread } = parts;
  const ready = draftThread ? files.filter(({ path }) => isExpected(parts, folderOf(path))) : [];
  const made = ready.length > 0 ? await draftThread?.(root.absolute(''), ready) : null;
  // A sync that ran before the folders existed has already dropped them from the record.
  for (const draft of made ?? [])
    if (!(draft instanceof FilesError)) durability.noteMade(folderOf(draft.path));
  return new Map(made?.map((draft) => [draft.path, draft]));
}

/** Recorded before it exists, so that another writer in the folder waits for its entry too. False if it cannot be created. */
function isExpected({ root, durability }: WriteManyParts, folder: string): boolean {
  try {
    safePath(folder);
    root.madeFolder(folderOf(folder), durability.noteMade);
  } catch {
    return false;
  }
  durability.noteMade(folder);
  return true;
}
