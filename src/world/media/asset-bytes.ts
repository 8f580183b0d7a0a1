import { streamingSha256 } from '../../kit/crypto.ts';
import { conflict, tooLarge } from '../../kit/errors.ts';
import { createPauses } from '../../kit/pauses.ts';
import type { FileStat } from '../../platform/files/files.ts';
import type { PictureSource } from '../../platform/images/images.ts';
import { type Assets, LARGEST, type PresentedAsset } from '../assets/index.ts';
import type { Mirror } from '../mirror/index.ts';
import { findFiles, isAsKnown, type Project, type RecordsDb } from '../records/index.ts';

const MB = 1024 * 1024;

export interface AssetBytesOptions {
  assets: Assets;
  mirror: Mirror;
}

/** Thrown internally if a file differs from its row. */
const CHANGED = Symbol('changed');

export function createAssetBytes({ assets, mirror }: AssetBytesOptions) {
  return {
    /** Works with an asset as its row has it; if the file turns out to have changed, once more with the new row. */
    async with<Result>(
      project: Project,
      assetId: string,
      work: (asset: PresentedAsset) => Promise<Result>,
    ): Promise<Result> {
      const asset = await assets.get(project, assetId);
      try {
        return await work(asset);
      } catch (error) {
        if (error !== CHANGED) throw error;
      }
      await mirror.sync(project, { kind: 'paths', paths: [asset.path] });
      return work(await assets.get(project, assetId)).catch((error: unknown) => {
        throw error === CHANGED
          ? conflict(`${asset.path} is being written: ask again when that is over`, { code: 'file_changes' })
          : error;
      });
    },

    read,

    /** Draws a picture of the asset's bytes, in place if possible, without reading them into memory. */
    draw: async <Result>(project: Project, asset: PresentedAsset, work: Draw<Result>): Promise<Result> =>
      (await drawInPlace(project, asset, work))?.result ?? work(await read(project, asset)),
  };
}

type Draw<Result> = (picture: PictureSource) => Promise<Result>;

/** Reads the bytes that have the asset's checksum. */
async function read(project: Project, { path, checksum_sha256 }: PresentedAsset): Promise<Uint8Array> {
  const stat = await project.files.stat(path);
  if (stat) requireSmall(stat, LARGEST.held);
  const bytes = await project.files.read(path);
  if ((await hashOf(bytes)) !== checksum_sha256) throw CHANGED;
  return bytes;
}

function requireSmall({ path, size }: FileStat, largest: number): void {
  if (size > largest)
    throw tooLarge(`${path} has more than ${largest / MB} MB: previews are not made for files that large`, {
      code: 'asset_too_large',
    });
}

/** Draws from the file in place; undefined unless its stat matches the row before and after: then the bytes are the hashed ones. */
async function drawInPlace<Result>(
  project: Project,
  { path, checksum_sha256 }: PresentedAsset,
  work: Draw<Result>,
): Promise<{ result: Result } | undefined> {
  const rows = await project.database.read((db: RecordsDb) => findFiles(db, project, [path]));
  const known = rows.get(path);
  if (known?.sha256 !== checksum_sha256) return undefined;
  const isUnchanged = async () => {
    const stat = await project.files.stat(path);
    if (stat) requireSmall(stat, LARGEST.inPlace);
    return stat !== undefined && isAsKnown(known, stat);
  };
  const place = (await isUnchanged()) ? await project.files.locate(path) : undefined;
  if (place === undefined) return undefined;
  const [drawn] = await Promise.allSettled([work({ path: place })]);
  if (!(await isUnchanged())) return undefined;
  if (drawn.status === 'rejected') throw drawn.reason;
  return { result: drawn.value };
}

/** Other work gets a turn in between. */
async function hashOf(bytes: Uint8Array): Promise<string> {
  const pause = createPauses();
  const hash = streamingSha256();
  for (let at = 0; at < bytes.length; at += MB) {
    hash.update(bytes.subarray(at, at + MB));
    await pause();
  }
  return hash.digest('hex');
}

export type AssetBytes = ReturnType<typeof createAssetBytes>;
