import type { CreateOgvDecoder, OgvDecoder } from 'ogv/dist/ogv-decoder-audio-vorbis-wasm.js';
import { oggPackets } from '../../../content/assets/index.ts';
import type { Decoded, OnSamples } from './decoded.ts';

interface Codec {
  /** The beginning of its first packet. */
  mark: string;
  load(): Promise<{ default: CreateOgvDecoder }>;
  /** Matches the beginning of packets without sound. */
  head: RegExp;
  /** Sample rate (hertz) if the packets do not state it. */
  rate: number;
}

const CODECS: readonly Codec[] = [
  {
    mark: '\x01vorbis',
    load: () => import('ogv/dist/ogv-decoder-audio-vorbis-wasm.js'),
    head: /^[^t]vorbis/,
    rate: 0,
  },
  {
    mark: 'OpusHead',
    load: () => import('ogv/dist/ogv-decoder-audio-opus-wasm.js'),
    head: /^Opus(?:Head|Tags)/,
    rate: 48_000,
  },
];
const FLAC_MARK = '\x7fFLAC';
const MARK_BYTES = 8;

const markOf = (packet: Uint8Array): string => String.fromCharCode(...packet.subarray(0, MARK_BYTES));

export async function decodeOgg(file: Uint8Array, onSamples: OnSamples): Promise<Decoded> {
  const [first] = oggPackets(file);
  if (first && markOf(first).startsWith(FLAC_MARK))
    return (await import('./decode-flac.ts')).decodeFlac(file, onSamples);
  const codec = first && CODECS.find(({ mark }) => markOf(first).startsWith(mark));
  if (codec === undefined) throw new Error('no codec that is known here');
  const decoder = await open(codec);
  for (const packet of oggPackets(file)) {
    if (codec.head.test(markOf(packet))) decoder.processHeader(packet.buffer, () => {});
    else {
      decoder.audioBuffer = null;
      decoder.processAudio(packet.buffer, () => {});
      onSamples(decoder.audioBuffer ?? []);
    }
  }
  return { rate: decoder.audioFormat?.rate ?? codec.rate };
}

async function open({ load }: Codec): Promise<OgvDecoder> {
  const { default: create } = await load();
  const decoder = await create();
  await new Promise<void>((resolve) => decoder.init(resolve));
  return decoder;
}
