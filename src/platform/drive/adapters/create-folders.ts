import { DriveError, type DriveFile, FOLDER_TYPE, type NewFolder } from '../drive.ts';
import { readText, understood } from './answers.ts';
import { type BatchPart, batchOf, partsOf } from './batch-parts.ts';
import { TryAgain } from './drive-call.ts';
import type { DriveClient } from './drive-client.ts';
import { failureOf, lost } from './failures.ts';
import { FILE_FIELDS, readFile } from './read-file.ts';
import { ALL_DRIVES, queryOf } from './values.ts';

type Made = DriveFile | DriveError;

const PATH = `/drive/v3/files${queryOf({ ...ALL_DRIVES, fields: FILE_FIELDS })}`;

/** Those of a batch that failed for a while are sent again without the others. */
export async function createFolders(
  client: DriveClient,
  folders: readonly NewFolder[],
  find: (fileId: string) => Promise<DriveFile | null>,
): Promise<Made[]> {
  if (folders.length === 0) return [];
  const made = new Map<number, Made>();
  /** Their creation may have been an earlier try of ours. */
  const taken = new Set<number>();

  function understand(parts: readonly BatchPart[], tries: number): void {
    let again = parts.length === 0 ? lost(new Error('a batch without parts')) : null;
    for (const { index, status, body } of parts) {
      if (status === 200) made.set(index, readFile(understood(body)));
      else {
        const failure = failureOf({ status, body, isPage: false });
        if (failure.retry === 'never' && status !== 401) made.set(index, failure.error);
        else if (again?.retry !== 'together') again = failure;
        if (status === 409 && tries > 1) taken.add(index);
      }
    }
    if (made.size === folders.length) return;
    throw new TryAgain(again ?? lost(new Error('a part of the batch is missing')));
  }

  const rest = () =>
    folders.flatMap((folder, index) => (made.has(index) ? [] : [{ index, body: bodyOf(folder) }]));
  try {
    await client.call({
      method: 'POST',
      path: '/batch/drive/v3',
      send: () => batchOf(PATH, rest()),
      read: async (answer, tries) => understand(partsOf(answer, await readText(answer)), tries),
    });
  } catch (error) {
    if (made.size === 0 || !(error instanceof DriveError)) throw error;
    for (const { index } of rest()) made.set(index, error);
  }
  for (const [index, { fileId }] of folders.entries()) {
    const found = taken.has(index) ? await find(fileId) : null;
    if (found) made.set(index, found);
  }
  return folders.map((_, index) => made.get(index) ?? lost(new Error('no answer')).error);
}

const bodyOf = ({ fileId, name, parentId }: NewFolder) => ({
  id: fileId,
  name,
  parents: [parentId],
  mimeType: FOLDER_TYPE,
});
