import { partsOf } from '../../../kit/parts.ts';
import type { DriveFile } from '../../../platform/drive/drive.ts';
import { quoted } from '../../../platform/drive/query-tokens.ts';
import { applyFiles, OWN } from './apply-files.ts';
import type { DriveItem } from './drive-items.store.ts';
import type { DriveParts } from './drive-parts.ts';
import { itemOfFile } from './item-of-file.ts';
import { listFolders } from './list-folders.ts';
import { byAge } from './names-here.ts';

/** Names per request, so that its address stays short enough for any server on the way. */
const NAMES = 40;

const placeOf = ({ parent_id, name }: DriveItem): string => JSON.stringify([parent_id, name]);

/**
 * Two installs may fill an empty folder together. Then both make the same folders, and after that each sees those of the other: both use
 * the older one, and the newer one goes to the trash unless something lies in it. Resolves to the older ones' ids by those of own ones.
 */
export async function olderFolders(
  parts: DriveParts,
  made: readonly DriveItem[],
): Promise<Map<string, string>> {
  const found: DriveFile[] = [];
  for (const some of partsOf(made, NAMES)) {
    const term = some.map(
      ({ name, parent_id }) => `(name = ${quoted(name)} and ${quoted(parent_id ?? '')} in parents)`,
    );
    const { files } = await parts.drive.files({ term: term.join(' or '), foldersOnly: true });
    found.push(...files);
  }
  const equal = Map.groupBy(
    found.map((file) => itemOfFile(file, undefined, OWN)),
    placeOf,
  );
  const older = new Map<string, string>();
  for (const row of made) {
    const [oldest] = [row, ...(equal.get(placeOf(row)) ?? [])].sort(byAge);
    if (oldest === undefined || oldest.file_id === row.file_id) continue;
    const file = found.find(({ fileId }) => fileId === oldest.file_id);
    // If the answer was lost, it was made a while ago, so that others may have put something there.
    const { files: inside } = await parts.drive.files({ parentId: row.file_id });
    const trashed =
      inside.length === 0 ? await parts.drive.update(row.file_id, { trashed: true }) : undefined;
    const unlisted = await applyFiles(
      parts,
      [trashed, file].filter((each) => each !== undefined),
      OWN,
    );
    await listFolders(parts, unlisted, OWN);
    older.set(row.file_id, oldest.file_id);
  }
  return older;
}
