export interface Loudness {
  /** Seconds. */
  duration: number;
  /** The highest level of each part in any channel, from 0 to 1. */
  peaks: number[];
}

export interface Sound {
  /** Media type, judged by the bytes. */
  type: string;
  bytes: Uint8Array;
}

export interface Sounds {
  canDecode(type: string): boolean;
  /** Decodes the sound to its end. A sound with fewer samples than `count` gives fewer peaks. Throws `SoundError`. */
  loudnessOf(sound: Sound, count: number): Promise<Loudness>;
}

export type SoundErrorCode = 'broken' | 'too_slow' | 'busy';

/** `message` is for people. */
export class SoundError extends Error {
  readonly code: SoundErrorCode;

  constructor(code: SoundErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SoundError';
    this.code = code;
  }
}
