import { createOpenPeaks } from '../../../content/assets/index.ts';
import { answerProcess } from '../../../kit/ask-process.ts';
import type { Loudness, Sound } from '../sounds.ts';
import type { Decoded, TakeSamples } from './decoded.ts';

export interface SoundOrder extends Sound {
  count: number;
}

answerProcess(async ({ type, bytes, count }: SoundOrder): Promise<Loudness> => {
  const peaks = createOpenPeaks();
  const { rate } = await decode(type, bytes, peaks.add);
  if (peaks.length() === 0 || !(rate > 0)) throw new Error('nothing to be heard');
  return { duration: peaks.length() / rate, peaks: peaks.values(count) };
});

async function decode(type: string, bytes: Uint8Array, take: TakeSamples): Promise<Decoded> {
  if (type === 'audio/mpeg') return (await import('./decode-mp3.ts')).decodeMp3(bytes, take);
  if (type === 'audio/flac') return (await import('./decode-flac.ts')).decodeFlac(bytes, take);
  return (await import('./decode-ogg.ts')).decodeOgg(bytes, take);
}
