declare module 'js-mp3' {
  interface Decoder {
    sampleRate: number;
    /** Decoded 16-bit samples; each frame appends its own. */
    buf: ArrayBuffer | null;
    readFrame(): { err?: unknown };
  }
  const mp3: { newDecoder(file: ArrayBuffer): Decoder | null };
  export default mp3;
}
