import type { Images } from '../../platform/images/images.ts';
import type { Addresses, PresentedAsset } from '../assets/index.ts';
import type { Project } from '../records/index.ts';
import type { AssetBytes } from './asset-bytes.ts';
import type { MadeFiles } from './made-files.ts';
import { noPicture, type PictureRequest, refusePicture, servePicture, sourceOf } from './pictures.ts';
import type { ThumbnailSize } from './thumbnails.contract.ts';

export interface ThumbnailsOptions {
  assetBytes: AssetBytes;
  images: Images;
  made: MadeFiles;
  addresses: Addresses;
}

const nameOf = (size: ThumbnailSize): string => `${size}.webp`;

/** Small pictures of assets, made on first request (spec 1 §4.5). */
export function createThumbnails({ assetBytes, images, made, addresses }: ThumbnailsOptions) {
  const ensure = (project: Project, asset: PresentedAsset, sizes: readonly ThumbnailSize[]) => {
    if (asset.kind !== 'image') throw noPicture('thumbnail', asset);
    return made.ensure(sourceOf(project, asset), sizes.map(nameOf), async (names) => {
      const wanted = sizes.filter((size) => names.includes(nameOf(size)));
      const drawn = await assetBytes
        .draw(project, asset, (picture) => images.toThumbnails(picture, wanted))
        .catch((error) => refusePicture(error, 'thumbnail', asset));
      return drawn.map(({ bytes }, at) => ({ name: names[at] ?? '', bytes }));
    });
  };

  const addressOf = (project: Project, { id, checksum_sha256 }: PresentedAsset, size: ThumbnailSize) =>
    addresses(project, `/api/assets/${id}/thumbnail`, {
      size: String(size),
      v: checksum_sha256.slice(0, 16),
    });

  return {
    /** Opens a thumbnail for a reply, made first if need be. */
    open: (project: Project, assetId: string, { size, ...request }: PictureRequest<ThumbnailSize>) =>
      assetBytes.with(project, assetId, (asset) =>
        servePicture(made, sourceOf(project, asset), {
          name: nameOf(size),
          type: 'image/webp',
          make: () => ensure(project, asset, [size]),
          ...request,
        }),
      ),

    /** Makes thumbnails ahead; returns their URLs. */
    make: (project: Project, assetId: string, sizes: readonly ThumbnailSize[]) =>
      assetBytes.with(project, assetId, async (asset) => {
        await ensure(project, asset, sizes);
        return {
          asset_id: asset.id,
          checksum_sha256: asset.checksum_sha256,
          thumbnails: sizes.map((size) => ({ size, url: addressOf(project, asset, size) })),
        };
      }),
  };
}

export type Thumbnails = ReturnType<typeof createThumbnails>;
