import { type EntryChange, homeOf, keyInHome } from '../../content/assets/index.ts';
import { HttpError } from '../../kit/errors.ts';
import { FilesError } from '../../platform/files/files.ts';
import type { FileRow, Project } from '../records/index.ts';
import { keyOf } from './asset-row.ts';
import { findAssetsBy } from './asset-rows.store.ts';
import type { AssetDb, AssetRow } from './assets.tables.ts';
import type { LoadedSidecar, Sidecars } from './sidecars.ts';

interface ChangedAssets {
  live: readonly FileRow[];
  /** Rows of the changed paths. */
  known: ReadonlyMap<string, AssetRow>;
  gone: ReadonlySet<string>;
}

/** Finds moved assets: new files with the bytes of an asset whose own path is empty now; with a present asset's bytes it is a copy. */
export async function findMoves(
  project: Project,
  { live, known, gone }: ChangedAssets,
): Promise<Map<string, AssetRow>> {
  const fresh = live.filter(({ path, size }) => !known.has(path) && size > 0);
  const moves = new Map<string, AssetRow>();
  if (fresh.length === 0) return moves;
  const hashes = [...new Set(fresh.map((file) => file.sha256))];
  const rows = await project.database.read((db: AssetDb) => findAssetsBy(db, project, 'sha256', hashes));
  const isGone = new Map<string, boolean>();
  for (const row of rows) {
    const isEmpty =
      row.gone_at !== null || gone.has(row.path) || (await project.files.stat(row.path)) === undefined;
    isGone.set(row.path, isEmpty);
  }
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  for (const file of fresh) {
    const origins = rows.filter((row) => row.sha256 === file.sha256 && isGone.get(row.path));
    const origin = origins.find((row) => row.filename === nameOf(file.path)) ?? origins[0];
    if (origin === undefined) continue;
    moves.set(file.path, origin);
    isGone.set(origin.path, false);
  }
  return moves;
}

/** Moves descriptions along with their assets, from sidecar to sidecar. If a sidecar cannot be written, they stay behind. */
export async function carryOver(
  sidecars: Sidecars,
  project: Project,
  files: readonly FileRow[],
  moves: ReadonlyMap<string, AssetRow>,
): Promise<void> {
  const loaded = new Map<string, LoadedSidecar>();
  const load = async (home: string): Promise<LoadedSidecar> => {
    const known = loaded.get(home) ?? (await sidecars.load(project, home));
    loaded.set(home, known);
    return known;
  };
  const arriving = createChanges();
  const leaving = createChanges();
  for (const file of files) {
    const from = moves.get(file.path);
    if (from === undefined) continue;
    const home = homeOf(file);
    const key = keyInHome(home, file.path);
    const there = entryIn(await load(home), key);
    // A description at the new place was written on purpose and wins.
    if (there?.id !== undefined) continue;
    const old = entryIn(await load(from.home), keyOf(from));
    if (old === undefined) continue;
    arriving.add(home, key, { ...old, ...there, id: from.asset_id });
    leaving.add(from.home, keyOf(from), null);
  }
  await arriving.apply(sidecars, project);
  await leaving.apply(sidecars, project);
}

const entryIn = (loaded: LoadedSidecar, key: string) =>
  loaded.state === 'read' ? loaded.sidecar.entries.get(key) : undefined;

/** So that each sidecar is written once. */
function createChanges() {
  const homes = new Map<string, Map<string, EntryChange>>();
  return {
    add(home: string, key: string, change: EntryChange): void {
      const changes = homes.get(home) ?? new Map<string, EntryChange>();
      homes.set(home, changes.set(key, change));
    },
    async apply(sidecars: Sidecars, project: Project): Promise<void> {
      for (const [home, changes] of homes) {
        try {
          await sidecars.change(project, home, changes);
        } catch (error) {
          if (!(error instanceof HttpError || error instanceof FilesError)) throw error;
        }
      }
    },
  };
}
