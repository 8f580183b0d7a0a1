import { serveProcess } from '../../../kit/run-in-process.ts';
import type { Drawing, DrawingOrder } from './svg-process.ts';

const MOST_BYTES_OUT = 64 * 1024 * 1024;
/** The resolution (dpi) that renders an SVG in its stated size. */
const PLAIN_DENSITY = 72;
const DENSITIES = { least: 1, most: 10_000 };

/** In dpi. */
const densityFor = (side: number, longest: number): number =>
  Math.min(DENSITIES.most, Math.max(DENSITIES.least, (PLAIN_DENSITY * side) / longest));

/** An SVG in memory, without a base address, cannot refer to files: librsvg then loads nothing. */
async function draw({ svg, side }: DrawingOrder): Promise<Drawing> {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  const { width, height } = await sharp(svg, { limitInputPixels: false }).metadata();
  const { data, info } = await sharp(svg, {
    density: densityFor(side, Math.max(width, height)),
    limitInputPixels: MOST_BYTES_OUT / 4,
  })
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { channels } = info;
  return { pixels: data, width: info.width, height: info.height, channels };
}

serveProcess(draw);
