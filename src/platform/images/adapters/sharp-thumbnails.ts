import { readFile, stat } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { ImageError, type PictureSource, type Thumbnail, type ThumbnailFormat } from '../images.ts';
import { MOST_PIXELS, MOST_SECONDS, tooManyPixels } from './image-limits.ts';
import { loadSharp } from './load-sharp.ts';
import { SVG } from './picture-format.ts';
import { type Drawing, drawSvg } from './svg-process.ts';

const OPTIONS = { webp: { quality: 80 }, png: {} };
const LARGEST_SVG = 2 * 1024 * 1024;

/** Draws the picture once, at the largest size, and the smaller ones from that. */
export async function drawThumbnails(
  picture: PictureSource,
  { format, sides, as }: { format: string; sides: readonly number[]; as: ThumbnailFormat },
): Promise<Thumbnail[]> {
  const largest = Math.max(...sides);
  if (format === SVG) return shrunk(await drawing(picture, largest), sides, as);
  return photographed(picture, async (photograph) => {
    if (sides.length === 1) return [await thumbnail(photograph, largest, as)];
    const { data, info } = await fitted(photograph, largest).raw().toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    return shrunk({ pixels: data, width, height, channels }, sides, as);
  });
}

async function shrunk(
  { pixels, ...raw }: Drawing,
  sides: readonly number[],
  as: ThumbnailFormat,
): Promise<Thumbnail[]> {
  const sharp = await loadSharp();
  const thumbnails: Thumbnail[] = [];
  for (const side of sides) thumbnails.push(await thumbnail(sharp(pixels, { raw }), side, as));
  return thumbnails;
}

async function thumbnail(picture: Sharp, side: number, as: ThumbnailFormat): Promise<Thumbnail> {
  const { data, info } = await fitted(picture, side)
    .toFormat(as, OPTIONS[as])
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, bytes: data };
}

const fitted = (picture: Sharp, side: number): Sharp =>
  picture
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds: MOST_SECONDS });

async function drawing(picture: PictureSource, side: number): Promise<Drawing> {
  const isBytes = picture instanceof Uint8Array;
  const size = isBytes ? picture.length : (await stat(picture.path)).size;
  if (size <= LARGEST_SVG) return drawSvg({ svg: isBytes ? picture : await readFile(picture.path), side });
  const most = LARGEST_SVG / 1024 / 1024;
  throw new ImageError('broken', `The drawing has more than ${most} MB: it would take too long to draw`);
}

/** Works with a picture of pixels, upright. */
async function photographed<Result>(
  picture: PictureSource,
  work: (photograph: Sharp) => Promise<Result>,
): Promise<Result> {
  const sharp = await loadSharp();
  const input = picture instanceof Uint8Array ? picture : picture.path;
  const options = { failOn: 'error', limitInputPixels: MOST_PIXELS, sequentialRead: true } as const;
  try {
    return await work(sharp(input, options).autoOrient());
  } catch (error) {
    // Looked at only now, so that the refusal can name the size: the header of a picture that can be drawn is read once.
    const { width, height } = await sharp(input, { limitInputPixels: false }).metadata();
    throw width * height > MOST_PIXELS ? tooManyPixels(width, height) : error;
  }
}
