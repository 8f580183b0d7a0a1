import {
  type AssetEntry,
  homeOf,
  homeOfSidecar,
  isSidecar,
  sidecarPath,
} from '../../content/assets/index.ts';
import { createPauses } from '../../kit/pauses.ts';
import { type FileRow, findFiles, type Project } from '../records/index.ts';
import { withOwners } from './asset-owners.ts';
import { keyOf, pathId, relationshipRows, rowOfFile, rowWithEntry, versionOf } from './asset-row.ts';
import { type FileProblem, findAssetsBy } from './asset-rows.store.ts';
import type { AssetDb, AssetRelationshipRow, AssetRow, AssetVersionRow } from './assets.tables.ts';
import { carryOver, findMoves } from './moves.ts';
import type { LoadedSidecar, Sidecars } from './sidecars.ts';

export interface FollowTally {
  added: number;
  replaced: number;
  moved: number;
  removed: number;
}

export interface FollowPlan {
  /** Paths whose rows are removed before others are stored. */
  forgotten: string[];
  rows: AssetRow[];
  renamed: { from: string; to: string }[];
  versions: AssetVersionRow[];
  /** Assets whose relationships are replaced. */
  related: string[];
  relationships: AssetRelationshipRow[];
  problems: { path: string; problems: FileProblem[] }[];
  tally: FollowTally;
}

interface Draft {
  file: FileRow | null;
  before: AssetRow | undefined;
  home: string;
  path: string;
}

/** Plans the asset rows for changed files and sidecars. The description of a moved file goes along. */
export async function planChanges(
  project: Project,
  changes: readonly FileRow[],
  sidecars: Sidecars,
  at: string,
): Promise<FollowPlan> {
  const assets = changes.filter((file) => file.entry_type === 'asset');
  const live = await withOwners(
    project,
    assets.filter((file) => file.deleted_at === null),
  );
  const gone = new Set(assets.filter((file) => file.deleted_at !== null).map((file) => file.path));
  const changedHomes = changes.filter(({ path }) => isSidecar(path)).map(({ path }) => homeOfSidecar(path));
  const known = await rowsAt(
    project,
    assets.map((file) => file.path),
  );
  const moves = await findMoves(project, { live, known, gone });
  await carryOver(sidecars, project, live, moves);

  const loaded = await loadSidecars(project, sidecars, [...changedHomes, ...live.map(homeOf)], changedHomes);
  const drafts = new Map<string, Draft>();
  for (const row of await inHomes(project, changedHomes))
    drafts.set(row.path, { file: null, before: row, home: row.home, path: row.path });
  for (const file of live)
    drafts.set(file.path, {
      file,
      before: moves.get(file.path) ?? known.get(file.path),
      home: homeOf(file),
      path: file.path,
    });
  const movedAway = [...moves.values()].map((row) => row.path);
  for (const path of [...gone, ...movedAway]) drafts.delete(path);

  const plan = emptyPlan();
  plan.forgotten.push(...movedAway);
  await addRows(project, plan, [...drafts.values()], loaded);
  for (const path of gone) {
    const row = known.get(path);
    if (!row || row.gone_at !== null || movedAway.includes(path)) continue;
    plan.rows.push({ ...row, gone_at: at });
    plan.tally.removed += 1;
  }
  for (const home of new Set(changedHomes))
    plan.problems.push({ path: sidecarPath(home), problems: loaded.get(home)?.problems ?? [] });
  plan.tally.moved = moves.size;
  return plan;
}

const emptyPlan = (): FollowPlan => ({
  forgotten: [],
  rows: [],
  renamed: [],
  versions: [],
  related: [],
  relationships: [],
  problems: [],
  tally: { added: 0, replaced: 0, moved: 0, removed: 0 },
});

async function rowsAt(project: Project, paths: readonly string[]): Promise<Map<string, AssetRow>> {
  const rows = await project.database.read((db: AssetDb) => findAssetsBy(db, project, 'path', paths));
  return new Map(rows.map((row) => [row.path, row]));
}

const inHomes = async (project: Project, homes: readonly string[]): Promise<AssetRow[]> => {
  const rows = await project.database.read((db: AssetDb) => findAssetsBy(db, project, 'home', homes));
  return rows.filter((row) => row.gone_at === null);
};

/** Loads the sidecars of homes; a home without a known one costs no disk access. */
async function loadSidecars(
  project: Project,
  sidecars: Sidecars,
  homes: readonly string[],
  changed: readonly string[],
): Promise<Map<string, LoadedSidecar>> {
  const all = [...new Set(homes)];
  const files = await project.database.read((db: AssetDb) => findFiles(db, project, all.map(sidecarPath)));
  const loaded = new Map<string, LoadedSidecar>();
  const pause = createPauses();
  for (const home of all) {
    const file = files.get(sidecarPath(home));
    if (!changed.includes(home) && (file === undefined || file.deleted_at !== null)) continue;
    loaded.set(home, await sidecars.load(project, home));
    await pause();
  }
  return loaded;
}

async function addRows(
  project: Project,
  plan: FollowPlan,
  drafts: readonly Draft[],
  loaded: ReadonlyMap<string, LoadedSidecar>,
): Promise<void> {
  const entryOf = ({ home, path }: Draft): AssetEntry | undefined => {
    const sidecar = loaded.get(home);
    return sidecar?.state === 'read' ? sidecar.sidecar.entries.get(keyOf({ home, path })) : undefined;
  };
  const ids = await takeIds(project, plan, drafts, entryOf);
  for (const draft of drafts) {
    const { file, before } = draft;
    const isUnreadable = loaded.get(draft.home)?.state === 'unreadable';
    const entry = entryOf(draft);
    const assetId = ids.get(draft.path) ?? '';
    if (file === null && (before === undefined || isUnreadable)) continue;
    const fresh = file
      ? rowOfFile(file, before, { entry, assetId })
      : rowWithEntry(before as AssetRow, entry, assetId);
    const row = isUnreadable && before ? { ...before, ...fileOnly(fresh) } : fresh;
    plan.rows.push(row);
    if (before !== undefined && before.asset_id !== row.asset_id) {
      plan.renamed.push({ from: before.asset_id, to: row.asset_id });
      plan.forgotten.push(before.path);
      plan.related.push(before.asset_id);
    }
    if (before !== undefined && before.sha256 !== row.sha256) {
      plan.versions.push(versionOf(before, row.asset_id));
      plan.tally.replaced += 1;
    }
    if (before === undefined || before.gone_at !== null) plan.tally.added += 1;
    if (isUnreadable) continue;
    plan.related.push(row.asset_id);
    plan.relationships.push(...relationshipRows(row, entry));
  }
}

/** The columns that come from the file, for an asset whose sidecar cannot be read: its known description stays. */
function fileOnly(row: AssetRow): Partial<AssetRow> {
  const { path, home, filename, mime_type, kind, size_bytes, sha256, version, version_at, version_by } = row;
  const { entity_type, entity_id, width, height, duration, perceptual_hash, placeholder } = row;
  const { media_facts, measured, gone_at } = row;
  return {
    ...{ path, home, filename, mime_type, kind, size_bytes, sha256, version, version_at, version_by },
    ...{
      entity_type,
      entity_id,
      width,
      height,
      duration,
      perceptual_hash,
      placeholder,
      media_facts,
      measured,
      gone_at,
    },
  };
}

/** The id of an asset's sidecar unless another asset has it, else its former one or one derived from its path. */
async function takeIds(
  project: Project,
  plan: FollowPlan,
  drafts: readonly Draft[],
  entryOf: (draft: Draft) => AssetEntry | undefined,
): Promise<Map<string, string>> {
  const wantedBy = (draft: Draft): string =>
    entryOf(draft)?.id ?? draft.before?.asset_id ?? pathId(draft.path);
  const wanted = new Map(drafts.map((draft) => [draft, wantedBy(draft)]));
  const holders = await project.database.read((db: AssetDb) =>
    findAssetsBy(db, project, 'asset_id', [...wanted.values()]),
  );
  const own = new Set(drafts.flatMap(({ path, before }) => [path, ...(before ? [before.path] : [])]));
  const others = holders.filter((row) => !own.has(row.path));
  plan.forgotten.push(...others.filter((row) => row.gone_at !== null).map((row) => row.path));
  const taken = new Set(others.filter((row) => row.gone_at === null).map((row) => row.asset_id));
  const ids = new Map<string, string>();
  // Ids from sidecars come first, in any order of paths.
  const ordered = [...drafts].sort(
    (one, other) => Number(entryOf(other)?.id !== undefined) - Number(entryOf(one)?.id !== undefined),
  );
  for (const draft of ordered) {
    let id = wanted.get(draft) ?? '';
    for (let attempt = 1; taken.has(id); attempt += 1) id = pathId(draft.path, attempt);
    taken.add(id);
    ids.set(draft.path, id);
  }
  return ids;
}
