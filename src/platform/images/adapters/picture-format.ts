import { HEAD_BYTES, mediaTypeOf } from '../../../content/assets/index.ts';
import { readHead } from '../../../kit/file-head.ts';
import type { PictureSource } from '../images.ts';

export const SVG = 'image/svg+xml';

const headOf = async (picture: PictureSource): Promise<Uint8Array> =>
  picture instanceof Uint8Array ? picture.subarray(0, HEAD_BYTES) : readHead(picture.path, HEAD_BYTES);

/** The media type of a picture, by its bytes alone. */
export const formatOf = async (picture: PictureSource): Promise<string> =>
  mediaTypeOf(await headOf(picture), '');

/** Whether the bytes begin as a WebP of the kind that is decoded row by row, without more beside it. */
export async function isLossyWebp(picture: PictureSource): Promise<boolean> {
  const head = await headOf(picture);
  return String.fromCharCode(...head.subarray(12, 16)) === 'VP8 ';
}
