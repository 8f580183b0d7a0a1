import type { Sharp } from 'sharp';
import { createQueue } from '../../../kit/queue.ts';
import { ImageError, type ImageMeasure, type Images, type PictureSource } from '../images.ts';
import { LARGE, type Limits, mostPixelsOf, ORDINARY, tooManyPixels } from './image-limits.ts';
import { loadSharp } from './load-sharp.ts';
import { decodedAtOnce, formatOf, inputOf, SVG } from './picture-format.ts';
import { drawThumbnails } from './sharp-thumbnails.ts';

const QUALITY = 85;

const ACCEPTED: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp']);
const MEASURED: ReadonlySet<string> = new Set([...ACCEPTED, 'image/gif', 'image/avif', 'image/tiff']);
const DRAWN: ReadonlySet<string> = new Set([...MEASURED, SVG]);

/** Each row of 9 grey pixels gives 8 bits: a bit is set if a pixel is brighter than the next. */
const HASH = { width: 9, height: 8 };
/** Pixels on the longest side of the reduced image. */
const LOOKED_AT = 128;
/** The same for a placeholder, which stores seven waves at most. */
const THUMB_HASHED = 32;

const whenFull = () => new ImageError('busy', 'Too many pictures are being processed at the moment');

/** The library is loaded on first use. */
export function createSharpImages(): Images {
  const queue = createQueue({
    atOnce: 2,
    mostWaiting: 20,
    whenFull,
  });
  /** In front of the other queue, so that large images never take all of its slots. */
  const largeOnes = createQueue({ atOnce: 1, mostWaiting: 20, whenFull });

  async function convert(bytes: Uint8Array, within: number): Promise<Uint8Array> {
    const sharp = await loadSharp();
    // Only the header is read here, so that the refusal can name the size.
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (width * height > ORDINARY.pixels) throw tooManyPixels(width, height);
    const options = { failOn: 'error', limitInputPixels: ORDINARY.pixels, sequentialRead: true } as const;
    return sharp(bytes, options)
      .autoOrient()
      .resize({ width: within, height: within, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: QUALITY })
      .timeout({ seconds: ORDINARY.seconds })
      .toBuffer();
  }

  async function look(input: Uint8Array | string, limits: Limits): Promise<ImageMeasure> {
    const sharp = await loadSharp();
    const { autoOrient } = await sharp(input, { limitInputPixels: false }).metadata();
    const { width, height } = autoOrient;
    const options = { failOn: 'error', limitInputPixels: limits.pixels, sequentialRead: true } as const;
    const { data, info } = await sharp(input, options)
      .autoOrient()
      .resize({ width: LOOKED_AT, height: LOOKED_AT, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: limits.seconds })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const small = sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
    const grey = await small
      .clone()
      .flatten({ background: '#ffffff' })
      .greyscale()
      .resize({ ...HASH, fit: 'fill' })
      .raw()
      .toBuffer();
    return { width, height, hash: differenceHash(grey), placeholder: await thumbHash(small) };
  }

  async function working<Result>(
    picture: PictureSource,
    { formats, refusal }: { formats: ReadonlySet<string>; refusal: string },
    work: (format: string) => Promise<Result>,
  ): Promise<Result> {
    const format = await formatOf(picture);
    if (!formats.has(format)) throw new ImageError('unknown_format', refusal);
    return work(format).catch((error: unknown) => {
      if (error instanceof ImageError) throw error;
      throw new ImageError('broken', 'The picture is damaged: it cannot be read to its end', {
        cause: error,
      });
    });
  }

  /** Alone, if the image has too many pixels but can be read row by row. Only then is its header read. */
  async function evenLarge<Result>(
    picture: PictureSource,
    work: (limits: Limits) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await queue(() => work(ORDINARY));
    } catch (error) {
      if (error instanceof ImageError) throw error;
      const sharp = await loadSharp();
      const header = await sharp(inputOf(picture), { limitInputPixels: false }).metadata();
      const pixels = header.width * header.height;
      if (pixels <= ORDINARY.pixels) throw error;
      const most = mostPixelsOf(header, await decodedAtOnce(picture, header));
      if (pixels > most) throw tooManyPixels(header.width, header.height, most);
      return largeOnes(() => queue(() => work(LARGE)));
    }
  }

  async function sizeOf(picture: PictureSource): Promise<ImageMeasure> {
    const sharp = await loadSharp();
    const { autoOrient } = await sharp(inputOf(picture), { limitInputPixels: false }).metadata();
    return { width: autoOrient.width, height: autoOrient.height, hash: null, placeholder: null };
  }

  return {
    toJpeg: (bytes, { within }) =>
      working(bytes, { formats: ACCEPTED, refusal: 'The file is no JPEG, PNG or WebP picture' }, () =>
        queue(() => convert(bytes, within)),
      ),
    measure: (picture) =>
      working(picture, { formats: MEASURED, refusal: 'The file is no picture that can be measured' }, () =>
        evenLarge(picture, (limits) => look(inputOf(picture), limits)).catch((error: unknown) => {
          if (error instanceof ImageError && error.code === 'too_many_pixels') return sizeOf(picture);
          throw error;
        }),
      ),
    toThumbnails: (picture, sides, as = 'webp') =>
      working(picture, { formats: DRAWN, refusal: 'The file is no picture that can be drawn' }, (format) => {
        const draw = (limits: Limits) => drawThumbnails(picture, { format, sides, as }, limits);
        return format === SVG ? queue(() => draw(ORDINARY)) : evenLarge(picture, draw);
      }),
    toPng: ({ bytes, width, height }) =>
      queue(async () => {
        const sharp = await loadSharp();
        return sharp(bytes, { raw: { width, height, channels: 4 } })
          .png()
          .toBuffer();
      }),
  };
}

async function thumbHash(picture: Sharp): Promise<string> {
  const { rgbaToThumbHash } = await import('thumbhash');
  const { data, info } = await picture
    .resize({ width: THUMB_HASHED, height: THUMB_HASHED, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}

function differenceHash(grey: Uint8Array): string {
  let hex = '';
  for (let row = 0; row < HASH.height; row += 1) {
    let bits = 0;
    for (let column = 0; column < HASH.height; column += 1) {
      const at = row * HASH.width + column;
      bits = bits * 2 + Number((grey[at] ?? 0) > (grey[at + 1] ?? 0));
    }
    hex += bits.toString(16).padStart(2, '0');
  }
  return hex;
}
