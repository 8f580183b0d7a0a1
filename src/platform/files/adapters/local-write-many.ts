import { createPauses } from '../../../kit/pauses.ts';
import type { FileStat, FileWrite } from '../files.ts';
import { folderOf, safePath } from '../paths.ts';
import { filesError } from './local-errors.ts';
import { fileStat } from './local-read.ts';
import {
  type Draft,
  dropDraft,
  openDraft,
  putInPlace,
  type WriteParts,
  writeContent,
} from './local-write.ts';

type Result = PromiseSettledResult<FileStat>;

/** Files that are held open at the same time. */
const MOST_OPEN = 128;

const failed = (error: unknown, path: string): Result => ({
  status: 'rejected',
  reason: filesError(error, 'write', path),
});

/** Each as `writeAtomically` would: all drafts and one sync for them, all renames and one sync for their folders. */
export async function writeManyAtomically(parts: WriteParts, files: readonly FileWrite[]): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < files.length; at += MOST_OPEN)
    results.push(...(await writeTogether(parts, files.slice(at, at + MOST_OPEN))));
  return results;
}

async function writeTogether(parts: WriteParts, files: readonly FileWrite[]): Promise<Result[]> {
  const { syscalls, durability } = parts;
  const results = new Map<string, Result>();
  const drafts: Draft[] = [];
  const pause = createPauses();
  for (const file of files) {
    await pause();
    try {
      drafts.push(await draftOf(parts, file));
    } catch (error) {
      results.set(file.path, failed(error, file.path));
    }
  }
  const synced = await durability.syncFiles(drafts.map(({ fd }) => fd));
  const placed: FileStat[] = [];
  for (const [index, draft] of drafts.entries()) {
    const { path } = draft;
    try {
      const sync = synced[index];
      if (sync?.status === 'rejected') throw sync.reason;
      placed.push(fileStat(path, putInPlace(syscalls, draft)));
      syscalls.closeSync(draft.fd);
    } catch (error) {
      dropDraft(syscalls, draft);
      results.set(path, failed(error, path));
    }
  }
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

async function draftOf(parts: WriteParts, { content, ...file }: FileWrite): Promise<Draft> {
  safePath(file.path);
  const draft = openDraft(parts, file);
  try {
    await writeContent(
      parts.syscalls,
      draft.fd,
      typeof content === 'string' ? Buffer.from(content) : content,
    );
    return draft;
  } catch (error) {
    dropDraft(parts.syscalls, draft);
    throw error;
  }
}
