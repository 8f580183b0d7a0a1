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

interface MadePicture extends Omit<PictureRequest<number>, 'size'> {
  name: string;
  type: string;
  make: () => Promise<unknown>;
}

/** Serves a picture of an asset's bytes, made first if need be, and cached for ever if the URL names these bytes. */
export async function servePicture(
  made: MadeFiles,
  source: Source,
  { name, type, version, openToAll, make }: MadePicture,
): Promise<ServedFile> {
  const file = await openMade(made, source, name, make);
  const audience = openToAll ? 'public' : 'private';
  return {
    size: file.stat.size,
    modifiedMs: file.stat.mtimeMs,
    etag: `"${source.sha256.slice(0, 32)}-${name}"`,
    type,
    headers: {
      'cache-control': isVersion(source.sha256, version)
        ? `${audience}, max-age=31536000, immutable`
        : `${audience}, max-age=60, must-revalidate`,
    },
    stream: file.stream,
    close: file.close,
  };
}

async function openMade(
  made: MadeFiles,
  source: Source,
  name: string,
  make: () => Promise<unknown>,
): Promise<OpenFile> {
  const file = await made.open(source, name);
  if (file) return file;
  await make();
  const fresh = await made.open(source, name);
  if (fresh) return fresh;
  throw unavailable('The picture went away while it was opened: ask again');
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
