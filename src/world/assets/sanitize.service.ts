import {
  type EntryChange,
  homeOfSidecar,
  isSidecar,
  pathInHome,
  sanitizeAssetId,
} from '../../content/assets/index.ts';
import type { Project } from '../records/index.ts';
import { pathId } from './asset-row.ts';
import { findAssetsBy, listSidecarPaths } from './asset-rows.store.ts';
import type { AssetDb } from './assets.tables.ts';
import { assetsLock, type Follower } from './follow.ts';
import type { Sidecars } from './sidecars.ts';

interface ChangedId {
  path: string;
  old_id: string;
  new_id: string;
}

/** Makes the ids in sidecars valid and unique. */
export function createSanitizing({ sidecars, follower }: { sidecars: Sidecars; follower: Follower }) {
  async function isFree(project: Project, id: string, path: string): Promise<boolean> {
    const holders = await project.database.read((db: AssetDb) => findAssetsBy(db, project, 'asset_id', [id]));
    return holders.every((row) => row.path === path);
  }

  async function freeId(project: Project, wanted: string, path: string, given: Set<string>): Promise<string> {
    const base = sanitizeAssetId(wanted) || pathId(path);
    for (let number = 1; ; number += 1) {
      const id = number === 1 ? base : `${base.slice(0, 95)}_${number}`;
      if (given.has(id) || !(await isFree(project, id, path))) continue;
      given.add(id);
      return id;
    }
  }

  /** Ids of one sidecar that are invalid, or that another asset has. */
  async function wrongIds(project: Project, home: string): Promise<{ key: string; id: string }[]> {
    const loaded = await sidecars.load(project, home);
    if (loaded.state === 'unreadable') return [];
    const { entries, invalidIds } = loaded.sidecar;
    const paths = [...entries.keys()].map((key) => pathInHome(home, key));
    const rows = await project.database.read((db: AssetDb) => findAssetsBy(db, project, 'path', paths));
    const idAt = new Map(rows.map((row) => [row.path, row.asset_id]));
    return [...entries].flatMap(([key, entry]) => {
      const id = entry.id ?? invalidIds.get(key);
      const present = idAt.get(pathInHome(home, key));
      return id !== undefined && present !== undefined && present !== id ? [{ key, id }] : [];
    });
  }

  return (project: Project, { dryRun }: { dryRun: boolean }) =>
    project.database.exclusive(assetsLock(project), async () => {
      await follower.followHeld(project);
      const paths = await project.database.read((db: AssetDb) => listSidecarPaths(db, project));
      const changed: ChangedId[] = [];
      const given = new Set<string>();
      const homes = paths.filter(isSidecar).map(homeOfSidecar);
      for (const home of homes) {
        const changes = new Map<string, EntryChange>();
        for (const { key, id } of await wrongIds(project, home)) {
          const path = pathInHome(home, key);
          const newId = await freeId(project, id, path, given);
          changed.push({ path, old_id: id, new_id: newId });
          changes.set(key, { id: newId });
        }
        if (changes.size > 0 && !dryRun) await sidecars.change(project, home, changes);
      }
      await follower.followHeld(project);
      return { checked: homes.length, changed: changed.slice(0, 1_000), dry_run: dryRun };
    });
}

export type SanitizeIds = ReturnType<typeof createSanitizing>;
