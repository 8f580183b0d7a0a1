import { partsOf } from '../../../kit/parts.ts';
import type { DriveFile } from '../../../platform/drive/drive.ts';
import { ReplicaError } from '../../sync/index.ts';
import { applyFiles } from './apply-files.ts';
import type { DriveParts } from './drive-parts.ts';

/** Folders per request. */
const FOLDERS = 40;
const PAGE = 1000;

const incomplete = () =>
  new ReplicaError(
    'unreachable',
    'The drive did not list everything. Nothing was changed; it is asked again later',
  );

async function filesIn({ drive }: DriveParts, folderIds: readonly string[]): Promise<DriveFile[]> {
  const term = folderIds.map((folderId) => `'${folderId}' in parents`).join(' or ');
  const files: DriveFile[] = [];
  let pageToken: string | undefined;
  do {
    const page = await drive.files({ term, pageSize: PAGE, ...(pageToken !== undefined && { pageToken }) });
    if (page.isIncomplete) throw incomplete();
    files.push(...page.files);
    pageToken = page.nextPageToken ?? undefined;
  } while (pageToken !== undefined);
  return files;
}

/** Notes everything in these folders, however deep. Resolves to the ids found. */
export async function listFolders(
  parts: DriveParts,
  folderIds: readonly string[],
  token: string,
): Promise<Set<string>> {
  const found = new Set<string>();
  for (let level = [...folderIds]; level.length > 0; ) {
    const next: string[] = [];
    for (const some of partsOf(level, FOLDERS)) {
      const files = await filesIn(parts, some);
      await applyFiles(parts, files, token);
      for (const { fileId, isFolder } of files) {
        if (isFolder && !found.has(fileId)) next.push(fileId);
        found.add(fileId);
      }
    }
    level = next;
  }
  return found;
}
