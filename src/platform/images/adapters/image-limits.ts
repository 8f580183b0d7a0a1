import type { Metadata } from 'sharp';
import { ImageError } from '../images.ts';

export interface Limits {
  pixels: number;
  seconds: number;
}

/** For any image: this many pixels, decoded as a whole, take 160 MB, or 200 MB for an interlaced PNG. */
export const ORDINARY: Limits = { pixels: 40_000_000, seconds: 20 };
/** For images that are decoded row by row: the worst of these were measured at 250 MB. */
export const LARGE: Limits = { pixels: 250_000_000, seconds: 60 };

/** Up to two thousand rows are held at once. */
const LONGEST_ROW_BYTES = 130_000;
/** Bytes of adjacent tiles or strips of a TIFF; libvips holds three rows of them. */
const LARGEST_BLOCKS_BYTES = 40_000_000;
const BYTES_OF: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2 };

/** Judged by the header and by the number of rows decoded at once. */
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
