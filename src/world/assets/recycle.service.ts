import type { AssetEntry } from '../../content/assets/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { fileDigest } from '../../platform/files/file-digest.ts';
import type { FileStat } from '../../platform/files/files.ts';
import { ifGone } from '../../platform/files/if-gone.ts';
import { isSameFile } from '../../platform/files/same-file.ts';
import type { TemplateRegistry } from '../definitions/index.ts';
import type { Mirror } from '../mirror/index.ts';
import { buryFiles, findFiles, type Project, takeSequence } from '../records/index.ts';
import { keyOf } from './asset-row.ts';
import { deleteAssets, findLiveAsset, forgetOrphans } from './asset-rows.store.ts';
import type { Assets } from './assets.service.ts';
import type { AssetDb, AssetRow, RecycledAssetRow } from './assets.tables.ts';
import { findAsset } from './entry-changes.ts';
import { assetsLock, type Follower } from './follow.ts';
import { noteFile } from './note-file.ts';
import {
  deleteRecycledAsset,
  findRecycledAsset,
  listRecycledAssets,
  markInBin,
  putRecycledAsset,
} from './recycle.store.ts';
import { ASSET_BIN, createRecycleHealing, folderIn } from './recycle-healing.ts';
import type { Sidecars } from './sidecars.ts';

export interface AssetRecycleOptions {
  assets: Assets;
  sidecars: Sidecars;
  follower: Follower;
  mirror: Mirror;
  templates: TemplateRegistry;
  clock: Clock;
}

const NO_ENTRY = '{}';

/** A file that is both in the recycle bin and at its place. */
export interface KeptFile {
  item: RecycledAssetRow;
  stat: FileStat;
}

/** Deleted assets: the recycle bin holds their files and descriptions until they are restored or purged. */
export function createAssetRecycleBin(options: AssetRecycleOptions) {
  const { assets, sidecars, follower, mirror, templates, clock } = options;
  const now = () => isoTime(clock.now());

  async function find(project: Project, itemId: string): Promise<RecycledAssetRow> {
    const item = await project.database.read((db: AssetDb) => findRecycledAsset(db, project, itemId));
    if (item) return item;
    throw notFound('There is no such asset in the recycle bin', { code: 'no_such_item' });
  }

  /** Removes rows and description after the file's move, unless another file is at its old place. */
  async function finishDeletion(project: Project, item: RecycledAssetRow): Promise<void> {
    const isFree = (await project.files.stat(item.path)) === undefined;
    await project.database.write(async (db: AssetDb) => {
      if (isFree) {
        const firstSeq = await takeSequence(db, project, 1);
        const files = [...(await findFiles(db, project, [item.path])).values()];
        const live = files.filter((file) => file.deleted_at === null);
        await buryFiles(db, project.database.dialect, live, { firstSeq, at: now() });
        await deleteAssets(db, project, [item.path]);
      }
      await markInBin(db, item);
    });
    if (isFree && item.entry !== NO_ENTRY)
      await sidecars.change(project, item.home, new Map([[keyOf(item), null]]));
  }

  async function drop(project: Project, item: RecycledAssetRow): Promise<number> {
    await project.files.remove(`${ASSET_BIN}/${folderIn(item)}`).catch(ifGone);
    return project.database.write((db: AssetDb) => deleteRecycledAsset(db, project, item.item_id));
  }

  /** The row comes before the file: without it, nothing would identify a file in the bin. */
  async function announce(project: Project, row: AssetRow, actor: string): Promise<RecycledAssetRow> {
    const loaded = await sidecars.load(project, row.home);
    const entry = loaded.state === 'read' ? loaded.sidecar.entries.get(keyOf(row)) : undefined;
    const itemId = newId();
    const item = {
      item_id: itemId,
      tenant_id: project.tenantId,
      project_id: project.projectId,
      asset_id: row.asset_id,
      path: row.path,
      bin_path: `${ASSET_BIN}/${itemId}/${row.path}`,
      home: row.home,
      mime_type: row.mime_type,
      size_bytes: row.size_bytes,
      sha256: row.sha256,
      entry: entry ? JSON.stringify(entry) : NO_ENTRY,
      deleted_at: now(),
      deleted_by: actor,
      in_bin: 0,
    };
    await project.database.write((db: AssetDb) => putRecycledAsset(db, item));
    return item;
  }

  async function copyToBin(project: Project, { path, bin_path }: RecycledAssetRow): Promise<FileStat> {
    const file = await project.files.open(path);
    const stream = file.stream();
    try {
      await project.files.write(bin_path, stream, { ifAbsent: true });
    } finally {
      stream.destroy();
    }
    return file.stat;
  }

  async function idAt(project: Project, path: string): Promise<string> {
    let id = await assets.idAt(project, path);
    if (id !== undefined) return id;
    await mirror.sync(project, { kind: 'paths', paths: [path] });
    id = await assets.idAt(project, path);
    if (id !== undefined) return id;
    throw conflict(`The file at ${path} is not an asset that could be replaced: choose another name`, {
      code: 'not_an_asset',
    });
  }

  /** Moves the file back, unless an interrupted restore has done so. */
  async function moveBack(project: Project, { bin_path, path, sha256 }: RecycledAssetRow): Promise<void> {
    const isInBin = (await project.files.stat(bin_path)) !== undefined;
    const isBack = !isInBin && (await project.files.stat(path)) !== undefined;
    if (isBack && (await fileDigest(project.files, path)) === sha256) return;
    await project.files.move(bin_path, path);
  }

  /** The asset's own id, unless the file that replaced it has the id and is elsewhere by now. */
  async function restoredId(project: Project, { asset_id, path }: RecycledAssetRow): Promise<string> {
    await follower.follow(project);
    const holder = await project.database.read((db: AssetDb) => findLiveAsset(db, project, asset_id));
    return holder === undefined || holder.path === path ? asset_id : idAt(project, path);
  }

  /** Undoes a deletion that failed after the move. */
  async function putBack(project: Project, item: RecycledAssetRow): Promise<void> {
    await project.files.move(item.bin_path, item.path);
    await project.database.write((db: AssetDb) => deleteRecycledAsset(db, project, item.item_id));
  }

  const heal = createRecycleHealing({ follower, finishDeletion });

  return {
    heal,
    async list(project: Project, page: { offset: number; limit: number }) {
      await heal(project);
      return project.database.read((db: AssetDb) => listRecycledAssets(db, project, page));
    },

    /** Moves an asset's file and description to the recycle bin. */
    remove: (project: Project, assetId: string, actor: string): Promise<RecycledAssetRow> =>
      project.database.exclusive(assetsLock(project), async () => {
        await follower.followHeld(project);
        const row = await findAsset(project, assetId);
        const item = await announce(project, row, actor);
        try {
          await project.files.move(row.path, item.bin_path);
          await finishDeletion(project, item);
        } catch (error) {
          await putBack(project, item).catch(() => {});
          throw error;
        }
        await follower.followHeld(project);
        return item;
      }),

    /** Copies the file that an upload is about to replace to the bin, so that its place is never empty; the asset continues. */
    async keep(project: Project, path: string, actor: string): Promise<KeptFile> {
      const id = await idAt(project, path);
      return project.database.exclusive(assetsLock(project), async () => {
        const item = await announce(project, await findAsset(project, id), actor);
        try {
          const stat = await copyToBin(project, item);
          await project.database.write((db: AssetDb) => markInBin(db, item));
          return { item, stat };
        } catch (error) {
          await drop(project, item).catch(() => {});
          throw error;
        }
      });
    },

    /** Drops the copy if the file was not replaced after all; a changed file keeps it. */
    async discardCopy(project: Project, { item, stat }: KeptFile): Promise<void> {
      const present = await project.files.stat(item.path);
      if (present && isSameFile(present, stat)) await drop(project, item);
    },

    /** Puts an asset back where it was, under its id. 409 if another file is there now. */
    async restore(project: Project, itemId: string) {
      const item = await find(project, itemId);
      const set = await templates.of(project);
      await project.database.exclusive(assetsLock(project), async () => {
        await moveBack(project, item);
        const stat = await project.files.stat(item.path);
        if (stat === undefined) throw notFound(`${item.path} is gone again`, { code: 'no_such_file' });
        const written = { stat, sha256: item.sha256, mediaType: item.mime_type };
        await project.database.write((db: AssetDb) => noteFile(db, project, set, written, now()));
      });
      const entry = JSON.parse(item.entry) as AssetEntry;
      const id = await restoredId(project, item);
      const asset = await assets.describeWritten(project, item.path, { ...entry, id }, null);
      // The row goes last: until the description is back, a crash leaves an item that can be restored again.
      await project.database.write((db: AssetDb) => deleteRecycledAsset(db, project, itemId));
      return asset;
    },

    async purge(project: Project, itemId: string): Promise<void> {
      await drop(project, await find(project, itemId));
      await project.database.write((db: AssetDb) => forgetOrphans(db, project));
    },

    /** Removes all items for good; resolves to their number. */
    async empty(project: Project): Promise<number> {
      for (let purged = 0; ; ) {
        const { rows } = await project.database.read((db: AssetDb) =>
          listRecycledAssets(db, project, { offset: 0, limit: 100 }),
        );
        if (rows.length === 0) {
          if (purged > 0) await project.database.write((db: AssetDb) => forgetOrphans(db, project));
          return purged;
        }
        for (const row of rows) purged += await drop(project, row);
      }
    },
  };
}

export type AssetRecycleBin = ReturnType<typeof createAssetRecycleBin>;
