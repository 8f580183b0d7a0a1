import { readFile, stat } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { ImageError, type PictureSource, type Thumbnail, type ThumbnailFormat } from '../images.ts';
import { type Limits, ORDINARY } from './image-limits.ts';
import { loadSharp } from './load-sharp.ts';
import { inputOf, SVG } from './picture-format.ts';
import { type Drawing, drawSvg } from './svg-process.ts';

const OPTIONS = { webp: { quality: 80 }, png: {} };
const LARGEST_SVG = 2 * 1024 * 1024;

/** The smaller sizes are made from the largest. */
export async function drawThumbnails(
  picture: PictureSource,
  { format, sides, as }: { format: string; sides: readonly number[]; as: ThumbnailFormat },
  limits: Limits,
): Promise<Thumbnail[]> {
  const largest = Math.max(...sides);
  if (format === SVG) return shrunk(await drawing(picture, largest), sides, as);
  const photograph = await photographOf(picture, limits);
  if (sides.length === 1) return [await thumbnail(photograph, largest, as, limits)];
  const { data, info } = await fitted(photograph, largest, limits)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return shrunk({ pixels: data, width, height, channels }, sides, as);
}

async function shrunk(
  { pixels, ...raw }: Drawing,
  sides: readonly number[],
  as: ThumbnailFormat,
): Promise<Thumbnail[]> {
  const sharp = await loadSharp();
  const thumbnails: Thumbnail[] = [];
  for (const side of sides) thumbnails.push(await thumbnail(sharp(pixels, { raw }), side, as, ORDINARY));
  return thumbnails;
}

async function thumbnail(
  picture: Sharp,
  side: number,
  as: ThumbnailFormat,
  limits: Limits,
): Promise<Thumbnail> {
  const { data, info } = await fitted(picture, side, limits)
    .toFormat(as, OPTIONS[as])
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, bytes: data };
}

const fitted = (picture: Sharp, side: number, { seconds }: Limits): Sharp =>
  picture.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true }).timeout({ seconds });

async function drawing(picture: PictureSource, side: number): Promise<Drawing> {
  const isBytes = picture instanceof Uint8Array;
  const size = isBytes ? picture.length : (await stat(picture.path)).size;
  if (size <= LARGEST_SVG) return drawSvg({ svg: isBytes ? picture : await readFile(picture.path), side });
  const most = LARGEST_SVG / 1024 / 1024;
  throw new ImageError('broken', `The drawing has more than ${most} MB: it would take too long to draw`);
}

/** Upright; read row by row if the format allows that. */
async function photographOf(picture: PictureSource, { pixels }: Limits): Promise<Sharp> {
  const sharp = await loadSharp();
  return sharp(inputOf(picture), {
    failOn: 'error',
    limitInputPixels: pixels,
    sequentialRead: true,
  }).autoOrient();
}
