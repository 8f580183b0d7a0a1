/** One channel, or several interleaved, as in a WAV. */
export interface SampleFormat {
  kind: 'integer' | 'float';
  /** 8, 16, 24 or 32; floats have 32. */
  bits: number;
  channels: number;
}

/** The highest sample in each of `count` equal parts, from 0 to 1. */
export interface Peaks {
  add(samples: Uint8Array): void;
  values(): number[];
}

type ReadSample = (view: DataView, at: number) => number;

const READERS: Readonly<Record<string, ReadSample>> = {
  integer8: (view, at) => (view.getUint8(at) - 128) / 128,
  integer16: (view, at) => view.getInt16(at, true) / 2 ** 15,
  integer24: (view, at) => (view.getUint8(at) | (view.getInt16(at + 1, true) << 8)) / 2 ** 23,
  integer32: (view, at) => view.getInt32(at, true) / 2 ** 31,
  float32: (view, at) => view.getFloat32(at, true),
};

export const isReadable = ({ kind, bits }: SampleFormat): boolean => Object.hasOwn(READERS, `${kind}${bits}`);

const ROUNDED = 1000;

/** Pieces may have any length of whole samples. */
export function createPeaks(format: SampleFormat, samples: number, count: number): Peaks {
  const read = READERS[`${format.kind}${format.bits}`];
  if (read === undefined) throw new Error('samples of this format cannot be read');
  const width = format.bits / 8;
  const peaks = new Float64Array(Math.min(count, samples));
  let seen = 0;
  return {
    add(piece) {
      const view = new DataView(piece.buffer, piece.byteOffset, piece.byteLength);
      for (let at = 0; at + width <= piece.byteLength; at += width) {
        const index = Math.floor((seen * peaks.length) / samples);
        const loud = Math.min(1, Math.abs(read(view, at)));
        if (loud > (peaks[index] ?? 1)) peaks[index] = loud;
        seen += 1;
      }
    },
    values: () => Array.from(peaks, (peak) => Math.round(peak * ROUNDED) / ROUNDED),
  };
}
