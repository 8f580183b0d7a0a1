export interface WaveformPicture {
  width: number;
  height: number;
  /** From the top, four bytes a pixel. */
  bytes: Uint8Array;
}

/** Red, green, blue, opaque: readable on light and on dark. */
const INK = [74, 122, 184, 255];
/** Of a stroke, and of the gap after it, in pixels. */
const STROKE = 3;
const GAP = 1;

/** Strokes around a middle line, as tall as the parts are loud; silence still shows a line. */
export function drawWaveform(peaks: readonly number[], width: number): WaveformPicture {
  const height = Math.ceil(width / 4);
  const bytes = new Uint8Array(width * height * 4);
  const strokes = Math.ceil(width / (STROKE + GAP));
  for (let stroke = 0; stroke < strokes; stroke += 1) {
    const tall = Math.max(1, Math.round(loudest(peaks, stroke, strokes) * (height - 2)));
    const top = Math.floor((height - tall) / 2);
    const left = stroke * (STROKE + GAP);
    for (let y = top; y < top + tall; y += 1)
      for (let x = left; x < Math.min(left + STROKE, width); x += 1) bytes.set(INK, (y * width + x) * 4);
  }
  return { width, height, bytes };
}

function loudest(peaks: readonly number[], part: number, parts: number): number {
  const from = Math.floor((part * peaks.length) / parts);
  const to = Math.ceil(((part + 1) * peaks.length) / parts);
  return peaks.slice(from, to).reduce((most, peak) => Math.max(most, peak), 0);
}
