import { isMassDeletion } from '../../content/replica/index.ts';
import { countSynced } from './items.store.ts';
import { isEntityKey, type SyncKey, shownKey } from './keys.ts';
import { findFilesOf } from './local.store.ts';
import type { HeldDeletions } from './sync.contract.ts';
import type { SyncDb } from './sync.tables.ts';
import type { SyncedProject } from './synced-project.ts';

export interface Deletion {
  key: SyncKey;
  path: string | null;
  sha256: string | null;
}

const EXAMPLES = 10;

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Files below a deleted entity's folder go with it and do not count by themselves. */
function looseFiles(deletions: readonly Deletion[]): Deletion[] {
  const folders = new Set(
    deletions.flatMap(({ key, path }) => (isEntityKey(key) && path !== null ? [folderOf(path)] : [])),
  );
  const isBelow = (path: string): boolean => {
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder.slice(0, -1)))
      if (folders.has(folder)) return true;
    return false;
  };
  return deletions.filter(({ key, path }) => !isEntityKey(key) && (path === null || !isBelow(path)));
}

/** A file whose bytes still exist elsewhere was moved, so nothing is lost. */
async function unmoved(project: SyncedProject, deletions: readonly Deletion[]): Promise<Deletion[]> {
  const hashes = deletions.flatMap(({ sha256 }) => sha256 ?? []);
  const files = await project.database.read((db: SyncDb) => findFilesOf(db, project, hashes));
  const doomed = new Set(deletions.map(({ path }) => path));
  const elsewhere = new Set(files.filter(({ path }) => !doomed.has(path)).map(({ sha256 }) => sha256));
  return deletions.filter(({ sha256 }) => sha256 === null || !elsewhere.has(sha256));
}

/** Non-null when these deletions are too many to follow without being asked. */
export async function heldDeletions(
  project: SyncedProject,
  where: HeldDeletions['where'],
  deletions: readonly Deletion[],
): Promise<HeldDeletions | null> {
  if (deletions.length === 0) return null;
  const synced = await project.database.read((db: SyncDb) => countSynced(db, project));
  const entities = deletions.filter(({ key }) => isEntityKey(key));
  const files = looseFiles(deletions);
  const isMass =
    isMassDeletion(entities.length, synced.entities) ||
    (isMassDeletion(files.length, synced.files) &&
      isMassDeletion((await unmoved(project, files)).length, synced.files));
  if (!isMass) return null;
  return {
    where,
    deletions: deletions.length,
    of: synced.entities + synced.files,
    examples: deletions.slice(0, EXAMPLES).map(({ key }) => shownKey(key)),
  };
}
