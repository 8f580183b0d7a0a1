import type { Metadata } from 'sharp';
import { HEAD_BYTES, mediaTypeOf } from '../../../content/assets/index.ts';
import { readHead } from '../../../kit/file-head.ts';
import type { PictureSource } from '../images.ts';
import { rowsAtOnce } from './tiff-blocks.ts';

export const SVG = 'image/svg+xml';

export const inputOf = (picture: PictureSource): Uint8Array | string =>
  picture instanceof Uint8Array ? picture : picture.path;

const headOf = async (picture: PictureSource): Promise<Uint8Array> =>
  picture instanceof Uint8Array ? picture.subarray(0, HEAD_BYTES) : readHead(picture.path, HEAD_BYTES);

/** Judged only by the bytes. */
export const formatOf = async (picture: PictureSource): Promise<string> =>
  mediaTypeOf(await headOf(picture), '');

/** In rows; Infinity if the image is decoded as a whole. */
export async function decodedAtOnce(
  picture: PictureSource,
  { format, isProgressive }: Metadata,
): Promise<number> {
  if (isProgressive) return Number.POSITIVE_INFINITY;
  if (format === 'tiff') return rowsAtOnce(picture);
  const isInRows =
    format === 'jpeg' || format === 'png' || (format === 'webp' && (await isLossyWebp(picture)));
  return isInRows ? 1 : Number.POSITIVE_INFINITY;
}

/** Such an image is decoded row by row. */
async function isLossyWebp(picture: PictureSource): Promise<boolean> {
  const head = await headOf(picture);
  return String.fromCharCode(...head.subarray(12, 16)) === 'VP8 ';
}
