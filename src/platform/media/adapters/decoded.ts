/** The next samples of each channel, from -1 to 1. */
export type OnSamples = (channels: readonly Float32Array[]) => void;

export interface Decoded {
  /** Hertz. */
  rate: number;
}
