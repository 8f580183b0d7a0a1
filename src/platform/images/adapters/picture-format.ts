import { HEAD_BYTES, mediaTypeOf } from '../../../content/assets/index.ts';
import { readHead } from '../../../kit/file-head.ts';
import type { PictureSource } from '../images.ts';

export const SVG = 'image/svg+xml';

/** The media type of a picture, by its bytes alone. */
export const formatOf = async (picture: PictureSource): Promise<string> =>
  mediaTypeOf(
    picture instanceof Uint8Array
      ? picture.subarray(0, HEAD_BYTES)
      : await readHead(picture.path, HEAD_BYTES),
    '',
  );
