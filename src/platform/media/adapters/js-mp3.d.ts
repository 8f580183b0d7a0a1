declare module 'js-mp3' {
  interface Decoder {
    sampleRate: number;
    /** Samples of 16 bits that were decoded; each frame adds its own. */
    buf: ArrayBuffer | null;
    readFrame(): { err?: unknown };
  }
  const mp3: { newDecoder(file: ArrayBuffer): Decoder | null };
  export default mp3;
}
