import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { digestOf, sha256Hex } from '../../../kit/crypto.ts';
import type { DriveContent } from '../../../platform/drive/drive.ts';
import { type Change, findFilesOf, type SyncDb } from '../../sync/index.ts';
import type { DriveItem } from './drive-items.store.ts';
import type { DriveParts } from './drive-parts.ts';

/** The bytes with this hash if a file here has them, which saves a request. */
async function bytesHere({ project }: DriveParts, sha256: string): Promise<Uint8Array | undefined> {
  const files = await project.database.read((db: SyncDb) => findFilesOf(db, project, [sha256]));
  for (const { path } of files) {
    const bytes = await project.files.read(path).catch(() => undefined);
    if (bytes && sha256Hex(bytes) === sha256) return bytes;
  }
  return undefined;
}

export async function bytesOf(parts: DriveParts, item: DriveItem): Promise<Uint8Array> {
  const here = item.sha256 === null ? undefined : await bytesHere(parts, item.sha256);
  return here ?? buffer((await parts.drive.download(item.file_id)).body);
}

/** Of the revision that is known: the file may have another content by now, which comes with the next changes. */
export async function streamOf({ drive }: DriveParts, item: DriveItem): Promise<Readable> {
  const { file_id, head_revision } = item;
  const { body } = await drive.download(file_id, head_revision === null ? {} : { revisionId: head_revision });
  return body;
}

/** Of a file whose hash the drive does not tell. */
export const hashOf = async (
  parts: DriveParts,
  item: DriveItem,
): Promise<Pick<DriveItem, 'sha256' | 'size'>> => digestOf(await streamOf(parts, item));

/** Thrown while a local file is read that is not what it was when the change was noted. */
export class ChangedHere extends Error {}

/** The content to send. Large files are streamed from disk. */
export function contentOf({ project }: DriveParts, { local, content }: Change): DriveContent | null {
  if (content !== null) return contentOfBytes(Buffer.from(content));
  if (local === undefined) return null;
  const size = local.file?.size ?? 0;
  async function* bytesFrom(start: number) {
    const open = await project.files.open(local?.path ?? '').catch(() => null);
    if (open?.stat.size !== size) {
      open?.close();
      throw new ChangedHere();
    }
    yield* open.stream({ start, end: size - 1 });
  }
  return { size, from: (offset) => Readable.from(bytesFrom(offset)) };
}

export const contentOfBytes = (bytes: Uint8Array): DriveContent => ({
  size: bytes.length,
  from: (offset) => Readable.from([bytes.subarray(offset)]),
});
