/** For a sound whose length is known only at its end. */
export interface OpenPeaks {
  /** The next samples of each channel, from -1 to 1. */
  add(channels: readonly Float32Array[]): void;
  length(): number;
  values(count: number): number[];
}

/** Enough for any picture. */
const PARTS = 16_384;
const ROUNDED = 1000;

export function createOpenPeaks(): OpenPeaks {
  const parts = new Float64Array(PARTS);
  let samplesEach = 1;
  let seen = 0;

  /** Each two become one, so that there is room for as much again. */
  function halve(): void {
    for (let at = 0; at < PARTS / 2; at += 1)
      parts[at] = Math.max(parts[2 * at] ?? 0, parts[2 * at + 1] ?? 0);
    parts.fill(0, PARTS / 2);
    samplesEach *= 2;
  }

  return {
    add(channels) {
      const [first] = channels;
      for (let at = 0; at < (first?.length ?? 0); at += 1) {
        if (seen === PARTS * samplesEach) halve();
        const part = Math.floor(seen / samplesEach);
        for (const channel of channels) {
          const loud = Math.min(1, Math.abs(channel[at] ?? 0));
          if (loud > (parts[part] ?? 1)) parts[part] = loud;
        }
        seen += 1;
      }
    },
    length: () => seen,
    values(count) {
      const known = parts.subarray(0, Math.ceil(seen / samplesEach));
      return Array.from({ length: Math.min(count, known.length) }, (_, at) => {
        const from = Math.floor((at * known.length) / Math.min(count, known.length));
        const to = Math.max(from + 1, Math.floor(((at + 1) * known.length) / Math.min(count, known.length)));
        return Math.round(Math.max(...known.subarray(from, to)) * ROUNDED) / ROUNDED;
      });
    },
  };
}
