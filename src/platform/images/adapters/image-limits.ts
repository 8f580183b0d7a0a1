import { ImageError } from '../images.ts';

/** Decoded, so many pixels take 160 MB at the worst. */
export const MOST_PIXELS = 40_000_000;
export const MOST_SECONDS = 20;

export const tooManyPixels = (width: number, height: number): ImageError =>
  new ImageError(
    'too_many_pixels',
    `The picture has ${width} × ${height} pixels; at most ${MOST_PIXELS / 1_000_000} million are taken`,
  );
