import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { exampleAsset, onAssets } from '../assets/assets.contract.ts';

/** Numbers of points per waveform. */
const WAVEFORM_POINTS = [100, 500, 2000] as const;
export type WaveformPoints = (typeof WAVEFORM_POINTS)[number];

const { id, checksum_sha256 } = exampleAsset;

const Waveform = Type.Object({
  asset_id: Type.String(),
  checksum_sha256: Type.String(),
  duration: Type.Number({ description: 'Seconds' }),
  peaks: Type.Array(Type.Number(), { description: 'The loudest of each part, from 0 to 1, of all channels' }),
});

export const getWaveform = contract('GET /api/assets/{id}/waveform', {
  ...onAssets,
  name: 'getWaveform',
  memory: 0,
  summary: 'How loud a sound is, over its time',
  description:
    'Of WAV (whole numbers of 8 to 32 bits, and floats of 32), MP3 (MPEG-1, so from 32 kHz up) and Ogg (Vorbis, Opus). 404 for other kinds, 413 above 64 MB, 422 for what is damaged, packed in another way, or takes more than a minute to decode. Fewer peaks than asked for come of a sound that has fewer samples.',
  params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
  query: Type.Object({
    points: Type.Optional(
      Type.Unsafe<WaveformPoints>({ type: 'integer', enum: [...WAVEFORM_POINTS], default: 500 }),
    ),
  }),
  reply: Waveform,
  errors: [404, 409, 413, 503],
  example: {
    params: { id },
    query: { points: 100 },
    reply: { asset_id: id, checksum_sha256, duration: 2.5, peaks: [0, 0.42, 0.87, 0.31] },
  },
});
