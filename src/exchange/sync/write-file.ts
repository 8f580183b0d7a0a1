import type { Readable } from 'node:stream';
import { sha256Hex, streamingSha256 } from '../../kit/crypto.ts';
import { HttpError, messageOf } from '../../kit/errors.ts';
import { type FileContent, type FileStat, FilesError, over } from '../../platform/files/files.ts';
import { isSameFile } from '../../platform/files/same-file.ts';
import { binOfFile } from '../../world/entities/index.ts';
import type { FileRow, Project } from '../../world/records/index.ts';
import { contentPath } from '../replication/index.ts';
import { copyPath } from './copy-path.ts';
import type { SyncedItem } from './items.store.ts';
import type { LocalItem } from './local-tree.ts';
import type { RemoteFile } from './replica.ts';
import { otherBytes, type Replica, ReplicaError } from './replica.ts';
import { changedHere } from './write-entity.ts';

const isAsRead = (stat: FileStat, { size, mtime_ms, ctime_ms, ino }: FileRow): boolean =>
  isSameFile(stat, { size, mtimeMs: mtime_ms, ctimeMs: ctime_ms, ino });

/** The file's stat, if there is one. Throws if it is not what the database knows: that was never compared with the replica. */
async function requireKnown(
  project: Project,
  path: string,
  local: LocalItem | undefined,
): Promise<FileStat | undefined> {
  const stat = await project.files.stat(path);
  const file = local?.file ?? null;
  if (file === null && stat === undefined) return undefined;
  if (file === null || stat === undefined) throw changedHere(path);
  // Timestamps of a file read right after a change are not reliable, so the bytes decide.
  if (!isAsRead(stat, file) && (await hashAt(project, path)) !== file.sha256) throw changedHere(path);
  return stat;
}

/** Verifies the hash while streaming; the target is not replaced if it differs or `atEnd` throws. */
async function* checked(
  bytes: AsyncIterable<Uint8Array>,
  { path, sha256 }: RemoteFile,
  atEnd: () => Promise<unknown>,
) {
  const hash = streamingSha256();
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sha256) throw otherBytes(path);
  await atEnd();
}

interface Transfer {
  content: FileContent;
  /** The reason the bytes did not come; a disk would report it as a failure of its own. */
  failure(): Error | null;
}

async function transferOf(
  replica: Replica,
  item: RemoteFile,
  isAsKnown: () => Promise<unknown>,
): Promise<Transfer> {
  // Long downloads: the local file may change meanwhile, so it is checked again at the end.
  if (item.bytes === null) return watched(checked(await replica.bytes(item), item, isAsKnown), item);
  const bytes = Buffer.from(item.bytes, item.encoding);
  if (sha256Hex(bytes) !== item.sha256) throw otherBytes(item.path);
  return { content: bytes, failure: () => null };
}

function watched(bytes: AsyncIterable<Uint8Array>, { path }: RemoteFile): Transfer {
  let failure: Error | null = null;
  async function* content() {
    try {
      yield* bytes;
    } catch (error) {
      failure =
        error instanceof ReplicaError || error instanceof HttpError || error instanceof FilesError
          ? error
          : new ReplicaError('unreachable', `${path} did not come whole: ${messageOf(error)}`);
      throw failure;
    }
  }
  return { content: content(), failure: () => failure };
}

/** Copies under a name made of the hash; an identical copy is reused. Resolves to its path. */
async function keepCopy(project: Project, { path, sha256 }: LocalItem): Promise<string> {
  for (let number = 1; ; number += 1) {
    const copy = copyPath(path, sha256, number);
    const stream = (await project.files.open(path)).stream();
    try {
      await project.files.write(copy, stream, { ifAbsent: true });
      return copy;
    } catch (error) {
      if (!(error instanceof FilesError && error.code === 'exists')) throw error;
      if ((await hashAt(project, copy)) === sha256) return copy;
    } finally {
      stream.destroy();
    }
  }
}

async function hashAt(project: Project, path: string): Promise<string> {
  const hash = streamingSha256();
  for await (const chunk of (await project.files.open(path)).stream() as Readable) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * Writes a file as the replica has it, never over bytes the replica has not seen. Refused local bytes are copied aside first;
 * resolves to the copy's path, or null.
 */
export async function writeFile(
  project: Project,
  replica: Replica,
  item: RemoteFile,
  { known, local }: { known: SyncedItem | undefined; local: LocalItem | undefined },
): Promise<string | null> {
  contentPath(item.path);
  const isAsKnown = () => requireKnown(project, item.path, local);
  await isAsKnown();
  const { content, failure } = await transferOf(replica, item, isAsKnown);
  const isOwn = local !== undefined && local.sha256 !== (known?.sha256 ?? null);
  const copy = isOwn ? await keepCopy(project, local) : null;
  const present = await isAsKnown();
  await project.files.write(item.path, content, over(present ?? null)).catch((error: unknown) => {
    throw failure() ?? error;
  });
  return copy;
}

export async function removeFile(project: Project, local: LocalItem): Promise<void> {
  await requireKnown(project, local.path, local);
  await project.files.move(local.path, binOfFile(local.path));
}
