/** Called with the next samples of each channel, from -1 to 1. */
export type OnSamples = (channels: readonly Float32Array[]) => void;

/** A sound that was decoded to its end. */
export interface Decoded {
  /** Hertz. */
  rate: number;
}
