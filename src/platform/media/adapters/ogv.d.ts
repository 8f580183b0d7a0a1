declare module 'ogv/dist/ogv-decoder-audio-vorbis-wasm.js' {
  export interface OgvDecoder {
    audioFormat: { channels: number; rate: number } | null;
    /** The samples of the last packet, by channel. */
    audioBuffer: Float32Array[] | null;
    init(done: () => void): void;
    processHeader(packet: ArrayBufferLike, done: () => void): void;
    processAudio(packet: ArrayBufferLike, done: () => void): void;
  }
  export type CreateOgvDecoder = () => Promise<OgvDecoder>;
  const create: CreateOgvDecoder;
  export default create;
}

declare module 'ogv/dist/ogv-decoder-audio-opus-wasm.js' {
  export { default } from 'ogv/dist/ogv-decoder-audio-vorbis-wasm.js';
}
