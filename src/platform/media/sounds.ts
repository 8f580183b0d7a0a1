/** How loud a sound is in each of so many equal parts. */
export interface Loudness {
  /** Seconds. */
  duration: number;
  /** The loudest of each part, from 0 to 1, of all channels. */
  peaks: number[];
}

export interface Sound {
  /** Media type, by the bytes. */
  type: string;
  bytes: Uint8Array;
}

export interface Sounds {
  /** Whether sounds of this media type are decoded here. */
  canDecode(type: string): boolean;
  /** Decodes the sound to its end; fewer peaks than `count` come of one with fewer samples. Throws `SoundError`. */
  loudnessOf(sound: Sound, count: number): Promise<Loudness>;
}

export type SoundErrorCode = 'broken' | 'too_slow' | 'busy';

/** `message` is meant for people. */
export class SoundError extends Error {
  readonly code: SoundErrorCode;

  constructor(code: SoundErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SoundError';
    this.code = code;
  }
}
