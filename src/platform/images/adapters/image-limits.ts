import type { Metadata } from 'sharp';
import { ImageError } from '../images.ts';

export interface Limits {
  pixels: number;
  seconds: number;
}

/** Of any picture: decoded as a whole, so many pixels take 160 MB, those of an interlaced PNG 200. */
export const ORDINARY: Limits = { pixels: 40_000_000, seconds: 20 };
/** Of one that is read row by row: measured, the worst of these take 250 MB. */
export const LARGE: Limits = { pixels: 250_000_000, seconds: 60 };

/** Up to two thousand rows are held at once. */
const LONGEST_ROW_BYTES = 130_000;
/** The tiles or strips of a TIFF that lie beside each other, of which libvips holds those of three rows. */
const LARGEST_BLOCKS_BYTES = 40_000_000;
const BYTES_OF: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2 };

/** How many pixels a picture may have, by its header and by how many rows are decoded at once. */
export function mostPixelsOf({ width, channels, depth }: Metadata, rows: number): number {
  const rowBytes = width * channels * (BYTES_OF[depth] ?? 8);
  const isSmall = rowBytes <= LONGEST_ROW_BYTES && rows * rowBytes <= LARGEST_BLOCKS_BYTES;
  return isSmall ? LARGE.pixels : ORDINARY.pixels;
}

export function tooManyPixels(width: number, height: number, most = ORDINARY.pixels): ImageError {
  const why =
    most === ORDINARY.pixels
      ? ' of a picture that is decoded as a whole: an interlaced or progressive one, a lossless WebP, GIF, AVIF, a TIFF of large tiles or strips, or one with very long rows'
      : '';
  return new ImageError(
    'too_many_pixels',
    `The picture has ${width} × ${height} pixels; at most ${most / 1_000_000} million are taken${why}`,
  );
}
