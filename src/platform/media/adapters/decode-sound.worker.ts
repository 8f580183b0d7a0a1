import { createOpenPeaks } from '../../../content/assets/index.ts';
import { serveProcess } from '../../../kit/run-in-process.ts';
import type { Loudness, Sound } from '../sounds.ts';
import type { Decoded, OnSamples } from './decoded.ts';

export interface SoundOrder extends Sound {
  count: number;
}

serveProcess(async ({ type, bytes, count }: SoundOrder): Promise<Loudness> => {
  const peaks = createOpenPeaks();
  const { rate } = await decode(type, bytes, peaks.add);
  if (peaks.length() === 0 || !(rate > 0)) throw new Error('nothing to be heard');
  return { duration: peaks.length() / rate, peaks: peaks.values(count) };
});

async function decode(type: string, bytes: Uint8Array, onSamples: OnSamples): Promise<Decoded> {
  if (type === 'audio/mpeg') return (await import('./decode-mp3.ts')).decodeMp3(bytes, onSamples);
  if (type === 'audio/flac') return (await import('./decode-flac.ts')).decodeFlac(bytes, onSamples);
  return (await import('./decode-ogg.ts')).decodeOgg(bytes, onSamples);
}
