import { drawWaveform } from '../../content/assets/index.ts';
import type { Images } from '../../platform/images/images.ts';
import type { PresentedAsset } from '../assets/index.ts';
import type { Project } from '../records/index.ts';
import type { AssetBytes } from './asset-bytes.ts';
import type { MadeFiles } from './made-files.ts';
import { noPicture, type PictureRequest, refusePicture, servePicture, sourceOf } from './pictures.ts';
import type { ThumbnailSize } from './thumbnails.contract.ts';
import type { Waveforms } from './waveforms.service.ts';

export interface PreviewsOptions {
  assetBytes: AssetBytes;
  images: Images;
  waveforms: Waveforms;
  made: MadeFiles;
}

/** Points of a sound's picture. */
const POINTS = 500;

/** Previews that any program can show, as PNG: pictures, and waveforms of sounds. */
export function createPreviews({ assetBytes, images, waveforms, made }: PreviewsOptions) {
  async function picture(project: Project, asset: PresentedAsset, size: ThumbnailSize): Promise<Uint8Array> {
    const [drawn] = await assetBytes
      .draw(project, asset, (source) => images.toThumbnails(source, [size], 'png'))
      .catch((error) => refusePicture(error, 'preview', asset));
    if (drawn === undefined) throw noPicture('preview', asset);
    return drawn.bytes;
  }

  async function drawing(
    project: Project,
    asset: PresentedAsset,
    size: ThumbnailSize,
  ): Promise<() => Promise<Uint8Array>> {
    if (asset.kind === 'image') return () => picture(project, asset, size);
    if (!waveforms.canDraw(asset)) throw noPicture('preview', asset);
    const { peaks } = await waveforms.of(project, asset, POINTS);
    return () => images.toPng(drawWaveform(peaks, size));
  }

  return {
    open: (project: Project, assetId: string, { size, ...request }: PictureRequest<ThumbnailSize>) =>
      assetBytes.with(project, assetId, (asset) => {
        const name = `${size}.png`;
        const source = sourceOf(project, asset);
        const make = async () => {
          const drawn = await drawing(project, asset, size);
          await made.ensure(source, [name], async () => [{ name, bytes: await drawn() }]);
        };
        return servePicture(made, source, { name, type: 'image/png', make, ...request });
      }),
  };
}

export type Previews = ReturnType<typeof createPreviews>;
