import { readFileSync } from 'node:fs';

/** One second, growing louder to 0.9. */
export const recorded = (name: string): Buffer => readFileSync(new URL(`sounds/${name}`, import.meta.url));

/** Mono, 16 bits; `at` gives the level from -1 to 1 at each second. */
export function wav(seconds: number, at: (second: number) => number, rate = 8000): Buffer {
  const count = Math.round(seconds * rate);
  const file = Buffer.alloc(44 + count * 2);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + count * 2, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(count * 2, 40);
  for (let index = 0; index < count; index += 1)
    file.writeInt16LE(Math.round(at(index / rate) * 32_767), 44 + index * 2);
  return file;
}

/** A beep of a frequency. */
export const beep =
  (hertz = 440, loudness = 0.5) =>
  (second: number): number =>
    loudness * Math.sin(2 * Math.PI * hertz * second);

const MP3_FRAME = { bytes: 417, samples: 1152, rate: 44_100 };

/** Silence as MPEG 1 Layer 3 with 128 kbit/s in stereo, in whole frames. */
export function mp3(frames: number): Buffer {
  const frame = Buffer.alloc(MP3_FRAME.bytes);
  frame.writeUInt32BE(0xfffb9000, 0);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}
export const mp3Seconds = (frames: number): number => (frames * MP3_FRAME.samples) / MP3_FRAME.rate;

function box(type: string, ...parts: Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + parts.reduce((sum, { length }) => sum + length, 0), 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...parts]);
}

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
};

/** One H.264 track without pictures; the description follows `mediaBytes` of media. */
export function mp4(seconds: number, width: number, height: number, mediaBytes = 0): Buffer {
  const scale = 1000;
  const length = Math.round(seconds * scale);
  const entry = Buffer.alloc(78);
  entry.writeUInt16BE(1, 6);
  entry.writeUInt16BE(width, 24);
  entry.writeUInt16BE(height, 26);
  const handler = Buffer.concat([words(0, 0), Buffer.from('vide'), words(0, 0, 0), Buffer.alloc(1)]);
  const tables = box(
    'stbl',
    box('stsd', words(0, 1), box('avc1', entry)),
    box('stts', words(0, 0)),
    box('stsc', words(0, 0)),
    box('stsz', words(0, 0, 0)),
    box('stco', words(0, 0)),
  );
  const media = box(
    'mdia',
    box('mdhd', words(0, 0, 0, scale, length, 0)),
    box('hdlr', handler),
    box('minf', tables),
  );
  const track = box(
    'trak',
    box('tkhd', words(0, 0, 0, 1, 0, length), Buffer.alloc(52), words(width << 16, height << 16)),
    media,
  );
  const movie = box('mvhd', words(0, 0, 0, scale, length, 0x10000), Buffer.alloc(72), words(2));
  return Buffer.concat([
    box('ftyp', Buffer.from('isom'), words(512), Buffer.from('isomavc1')),
    box('mdat', Buffer.alloc(mediaBytes)),
    box('moov', movie, track),
  ]);
}
