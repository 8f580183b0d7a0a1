import { createPeaks, isReadable, readWavHead } from '../../content/assets/index.ts';
import { invalid, notFound, unavailable } from '../../kit/errors.ts';
import { createPauses } from '../../kit/pauses.ts';
import { type Loudness, SoundError, type Sounds } from '../../platform/media/sounds.ts';
import type { PresentedAsset } from '../assets/index.ts';
import type { Project } from '../records/index.ts';
import type { AssetBytes } from './asset-bytes.ts';
import type { MadeFiles } from './made-files.ts';
import { sourceOf } from './pictures.ts';
import type { WaveformPoints } from './waveforms.contract.ts';

const WAV = 'audio/wav';
/** Samples per step. */
const STEP = 32 * 1024;
const HEAD_BYTES = 64 * 1024;

export interface WaveformsOptions {
  assetBytes: AssetBytes;
  sounds: Sounds;
  made: MadeFiles;
}

/** Waveforms of sounds, made on first request. */
export function createWaveforms({ assetBytes, sounds, made }: WaveformsOptions) {
  const canDraw = ({ mime_type }: PresentedAsset): boolean =>
    mime_type === WAV || sounds.canDecode(mime_type);

  async function draw(project: Project, asset: PresentedAsset, points: number): Promise<Loudness> {
    const bytes = await assetBytes.read(project, asset);
    if (asset.mime_type === WAV) return drawWav(bytes, points, asset);
    return sounds
      .loudnessOf({ type: asset.mime_type, bytes }, points)
      .catch((error: unknown) => refuse(error, asset));
  }

  async function of(project: Project, asset: PresentedAsset, points: WaveformPoints): Promise<Loudness> {
    if (!canDraw(asset))
      throw notFound(`There is no waveform of ${asset.path}: ${asset.mime_type} is not decoded here`, {
        code: 'no_waveform',
      });
    const source = sourceOf(project, asset);
    const name = `waveform_${points}.json`;
    await made.ensure(source, [name], async () => [
      { name, bytes: Buffer.from(JSON.stringify(await draw(project, asset, points))) },
    ]);
    const text = await made.read(source, name);
    if (text === undefined) throw unavailable('The waveform went away while it was read: ask again');
    return JSON.parse(text) as Loudness;
  }

  return {
    canDraw,
    of,
    get: (project: Project, assetId: string, points: WaveformPoints) =>
      assetBytes.with(project, assetId, async (asset) => {
        const { duration, peaks } = await of(project, asset, points);
        return { asset_id: asset.id, checksum_sha256: asset.checksum_sha256, duration, peaks };
      }),
  };
}

export type Waveforms = ReturnType<typeof createWaveforms>;

function refuse(error: unknown, { path }: PresentedAsset): never {
  if (!(error instanceof SoundError)) throw error;
  if (error.code === 'busy') throw unavailable(`${error.message}: try again shortly`);
  throw invalid(`There is no waveform of ${path}: ${error.message}`, { code: `sound_${error.code}` });
}

async function drawWav(bytes: Uint8Array, points: number, { path }: PresentedAsset): Promise<Loudness> {
  const head = readWavHead(bytes.subarray(0, HEAD_BYTES), bytes.length);
  if (head === null || !isReadable(head.format) || head.format.channels < 1 || head.rate < 1)
    throw invalid(
      `There is no waveform of ${path}: its samples are damaged, or packed in a way of their own`,
      {
        code: 'sound_broken',
      },
    );
  const width = head.format.bits / 8;
  const samples = Math.floor(head.bytes / width);
  const peaks = createPeaks(head.format, samples, points);
  const pause = createPauses();
  const end = head.start + samples * width;
  for (let at = head.start; at < end; at += STEP * width) {
    peaks.add(bytes.subarray(at, Math.min(end, at + STEP * width)));
    await pause();
  }
  return { duration: samples / head.format.channels / head.rate, peaks: peaks.values() };
}
