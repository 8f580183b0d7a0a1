import { ProcessError, runInProcess } from '../../../kit/run-in-process.ts';
import { ImageError } from '../images.ts';

export interface DrawingOrder {
  svg: Uint8Array;
  /** Pixels of the longest side. */
  side: number;
}

export interface Drawing {
  pixels: Uint8Array;
  width: number;
  height: number;
  channels: 1 | 2 | 3 | 4;
}

const MOST_MS = 15_000;

const SAID = {
  too_slow: `The drawing takes more than ${MOST_MS / 1000} seconds to draw`,
  ended: 'The drawing is damaged, or asks for more than can be drawn',
  not_started: 'The drawing could not be drawn',
};

/** Draws an SVG in a process of its own: a few lines of SVG can cause hours of work. */
export const drawSvg = (order: DrawingOrder): Promise<Drawing> =>
  runInProcess<Drawing>(new URL('./draw-svg.worker.ts', import.meta.url), order, { mostMs: MOST_MS }).catch(
    (error: unknown) => {
      throw error instanceof ProcessError
        ? new ImageError('broken', SAID[error.failure], { cause: error })
        : error;
    },
  );
