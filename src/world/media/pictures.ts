import { invalid, notFound, unavailable } from '../../kit/errors.ts';
import type { ServedFile } from '../../kit/http/file-reply.ts';
import type { OpenFile } from '../../platform/files/files.ts';
import { ImageError } from '../../platform/images/images.ts';
import type { PresentedAsset } from '../assets/index.ts';
import type { Project } from '../records/index.ts';
import type { MadeFiles, Source } from './made-files.ts';
import { isVersion } from './thumbnails.contract.ts';

export interface PictureRequest<Size extends number> {
  size: Size;
  version: string | undefined;
  openToAll: boolean;
}

export const sourceOf = (scope: Project, asset: PresentedAsset): Source => ({
  scope,
  sha256: asset.checksum_sha256,
});

/** Opens a file, made first if need be. */
export async function openMade(
  made: MadeFiles,
  source: Source,
  name: string,
  make: () => Promise<void>,
): Promise<OpenFile> {
  const file = await made.open(source, name);
  if (file) return file;
  await make();
  const fresh = await made.open(source, name);
  if (fresh) return fresh;
  throw unavailable('The picture went away while it was opened: ask again');
}

/** Serves a picture of an asset's bytes, cached for ever if the URL names these bytes. */
export function servePicture(
  file: OpenFile,
  { checksum_sha256 }: PresentedAsset,
  {
    name,
    type,
    version,
    openToAll,
  }: { name: string; type: string; version: string | undefined; openToAll: boolean },
): ServedFile {
  const audience = openToAll ? 'public' : 'private';
  return {
    size: file.stat.size,
    modifiedMs: file.stat.mtimeMs,
    etag: `"${checksum_sha256.slice(0, 32)}-${name}"`,
    type,
    headers: {
      'cache-control': isVersion(checksum_sha256, version)
        ? `${audience}, max-age=31536000, immutable`
        : `${audience}, max-age=60, must-revalidate`,
    },
    stream: file.stream,
    close: file.close,
  };
}

/** Throws the error for callers if a picture of an asset cannot be made. */
export function refusePicture(error: unknown, what: string, { path, mime_type }: PresentedAsset): never {
  if (!(error instanceof ImageError)) throw error;
  if (error.code === 'busy') throw unavailable(`${error.message}: try again shortly`);
  if (error.code === 'unknown_format') throw noPicture(what, { path, mime_type });
  throw invalid(`There is no ${what} of ${path}: ${error.message}`, { code: `picture_${error.code}` });
}

export const noPicture = (what: string, { path, mime_type }: Pick<PresentedAsset, 'path' | 'mime_type'>) =>
  notFound(`There is no ${what} of ${path}: ${mime_type} cannot be drawn`, { code: `no_${what}` });
