import type { Readable } from 'node:stream';

/** A file to be looked at, piece by piece. */
export interface MediaSource {
  /** Media type, by the bytes. */
  type: string;
  /** bytes */
  size: number;
  stream: Readable;
}

/** What a sound or film is; null for what its file does not tell. */
export interface MediaFacts {
  /** Seconds. */
  duration: number | null;
  /** Pixels of a film. */
  width: number | null;
  height: number | null;
  container: string | null;
  audio_codec: string | null;
  video_codec: string | null;
  /** Hertz. */
  sample_rate: number | null;
  channels: number | null;
  /** Bits a second. */
  bit_rate: number | null;
}

export interface Media {
  /** Reads no more of the file than it must, for so long as is reasonable, and closes the stream. Throws `MediaError`. */
  factsOf(source: MediaSource): Promise<MediaFacts>;
}

export type MediaErrorCode = 'unknown_format' | 'broken' | 'too_slow';

/** `message` is meant for people. */
export class MediaError extends Error {
  readonly code: MediaErrorCode;

  constructor(code: MediaErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MediaError';
    this.code = code;
  }
}
