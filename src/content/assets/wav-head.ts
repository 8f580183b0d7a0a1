import type { SampleFormat } from './peaks.ts';

export interface WavHead {
  format: SampleFormat;
  /** Hertz. */
  rate: number;
  /** Offset and length of the samples. */
  start: number;
  bytes: number;
}

const PCM = 1;
const FLOAT = 3;
/** The actual format follows later in the chunk. */
const EXTENSIBLE = 0xfffe;

/** From the file's first bytes; null if these do not tell. */
export function readWavHead(head: Uint8Array, fileSize: number): WavHead | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const name = (at: number): string => String.fromCharCode(...head.subarray(at, at + 4));
  if (name(0) !== 'RIFF' || name(8) !== 'WAVE') return null;
  let format: SampleFormat | null = null;
  let rate = 0;
  for (let at = 12; at + 8 <= head.length; ) {
    const length = view.getUint32(at + 4, true);
    const start = at + 8;
    if (name(at) === 'fmt ' && start + 16 <= head.length) {
      format = formatAt(view, start);
      rate = view.getUint32(start + 4, true);
    }
    if (name(at) === 'data') {
      // A recorder that was cut off leaves a length that is not there.
      const bytes = Math.min(length, fileSize - start);
      return format && bytes > 0 ? { format, rate, start, bytes } : null;
    }
    at = start + length + (length % 2);
  }
  return null;
}

function formatAt(view: DataView, start: number): SampleFormat | null {
  const word = (offset: number) => view.getUint16(start + offset, true);
  const isExtended = word(0) === EXTENSIBLE && start + 26 <= view.byteLength;
  const code = isExtended ? word(24) : word(0);
  if (code !== PCM && code !== FLOAT) return null;
  return { kind: code === PCM ? 'integer' : 'float', bits: word(14), channels: word(2) };
}
