import { setImmediate as turn } from 'node:timers/promises';
import { HEAD_BYTES } from '../../content/assets/index.ts';
import type { TypeFolders } from '../../content/paths/index.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { eachAtOnce } from '../../kit/each-at-once.ts';
import { messageOf } from '../../kit/errors.ts';
import { FilesError, type RemoteScanner, type ScanBatch } from '../../platform/files/files.ts';
import type { ImportItem } from '../texts/index.ts';
import { createListedFiles } from './listed-files.ts';
import { type Candidate, knownMainFile } from './main-file.ts';
import type { ScanRequest } from './protocol.ts';
import { itemOf, type Pending, type ReadBytes } from './read-item.ts';
import type { ScanStep } from './scan.ts';
import { rootsOf } from './scope.ts';
import { createWalk, isMarkdown, type ScanProject } from './walk.ts';

export interface RemoteProject extends Omit<ScanProject, 'scanner'> {
  scanner: RemoteScanner;
}

const BATCH_FILES = 120;
const BATCH_BYTES = 8 * 1024 * 1024;
const READS_AT_ONCE = 8;

/** Errors of the storage itself: the files are unknown then, and none counts as changed. */
const OF_THE_STORAGE: ReadonlySet<string> = new Set(['io', 'root_missing']);

/** Lists a project, compares it with the known rows, and reads new and changed files in batches. */
export async function* scanRemote(
  project: RemoteProject,
  request: ScanRequest,
  walkNumber: number,
): AsyncIterable<ScanStep> {
  const { scanner, folders } = project;
  const roots = request.under === null ? null : rootsOf(request.under, folders);
  const listing = await scanner.list(roots ?? undefined);
  const isWhole = roots === null || (listing.files.length === 0 && (await isEmpty(scanner)));
  const bytes = await readCandidates(project, openCandidates(project, listing, walkNumber));
  const walk = createWalk(
    { ...project, scanner: createListedFiles(listing, { bytes, isWhole }) },
    request,
    walkNumber,
  );
  const pending: Pending[] = [];
  for (const some of walk.run()) {
    for (const one of some) pending.push(one);
    await turn();
  }
  if (pending.length > 0) {
    yield { walked: walk.summary };
    for (const some of batchesOf(pending)) {
      const read = await readAll(some, (one) => readRemote(project, one));
      for (const { path } of read.unreadable) walk.skip({ path, reason: 'unreadable' });
      if (read.items.length > 0) yield { items: read.items };
    }
  }
  // The summary is sent again at the end, since reading finds unreadable files.
  yield { walked: walk.summary };
}

async function isEmpty(scanner: RemoteScanner): Promise<boolean> {
  const { files, skipped } = await scanner.list();
  return files.length + skipped.length === 0;
}

/** Returns the files of entities' folders whose bytes decide which one is the main file. */
function openCandidates(
  { replica, folders, largestText }: RemoteProject,
  { files }: ScanBatch,
  walk: number,
): string[] {
  const byFolder = new Map<string, Candidate[]>();
  for (const stat of files) {
    const folder = entityFolderOf(stat.path, folders);
    if (folder === undefined) continue;
    const candidate = { stat, comparison: replica.compare(stat, walk) };
    const known = byFolder.get(folder);
    if (known) known.push(candidate);
    else byFolder.set(folder, [candidate]);
  }
  return [...byFolder].flatMap(([folder, candidates]) => {
    const template = folders.get(folder.slice(0, folder.indexOf('/')));
    const isOpen = template && knownMainFile(template, folder, candidates) === undefined;
    const small = candidates.filter(({ stat }) => stat.size <= largestText);
    return isOpen ? small.map(({ stat }) => stat.path) : [];
  });
}

function entityFolderOf(path: string, folders: TypeFolders): string | undefined {
  const [top = '', id, name, ...deeper] = path.split('/');
  const isCandidate = name !== undefined && deeper.length === 0 && isMarkdown(name) && folders.has(top);
  return isCandidate ? `${top}/${id}` : undefined;
}

async function readCandidates(
  { scanner }: RemoteProject,
  paths: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const bytes = new Map<string, Uint8Array>();
  await eachAtOnce(paths, READS_AT_ONCE, async (path) => {
    const read = await scanner.read(path).catch(nullUnlessStorage);
    if (read) bytes.set(path, read);
  });
  return bytes;
}

function nullUnlessStorage(error: unknown): null {
  if (error instanceof FilesError && !OF_THE_STORAGE.has(error.code)) return null;
  throw error;
}

function* batchesOf(pending: readonly Pending[]): Iterable<Pending[]> {
  let batch: Pending[] = [];
  let bytes = 0;
  for (const one of pending) {
    batch.push(one);
    bytes += one.template === null ? 0 : one.stat.size;
    if (batch.length < BATCH_FILES && bytes < BATCH_BYTES) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

async function readAll(
  pending: readonly Pending[],
  read: (one: Pending) => Promise<ImportItem | { unreadable: string } | null>,
): Promise<{ items: ImportItem[]; unreadable: { path: string }[] }> {
  const found = new Map<Pending, ImportItem>();
  const unreadable: { path: string }[] = [];
  await eachAtOnce(pending, READS_AT_ONCE, async (one) => {
    const item = await read(one);
    if (item === null) return;
    if ('unreadable' in item) unreadable.push({ path: one.stat.path });
    else found.set(one, item);
  });
  return { items: pending.flatMap((one) => found.get(one) ?? []), unreadable };
}

async function readRemote(
  project: RemoteProject,
  pending: Pending,
): Promise<ImportItem | { unreadable: string } | null> {
  try {
    return itemOf(pending, await bytesOf(project, pending), project.largestText);
  } catch (error) {
    if (!(error instanceof FilesError) || OF_THE_STORAGE.has(error.code)) throw error;
    return error.code === 'not_found' ? null : { unreadable: messageOf(error) };
  }
}

async function bytesOf(
  { scanner, largestText }: RemoteProject,
  { stat, template }: Pending,
): Promise<ReadBytes> {
  if (template === null || stat.size > largestText)
    return { ...(await scanner.digest(stat.path, HEAD_BYTES)), bytes: null };
  const bytes = await scanner.read(stat.path);
  return { sha256: sha256Hex(bytes), head: bytes.subarray(0, HEAD_BYTES), bytes };
}
