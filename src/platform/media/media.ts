import type { Readable } from 'node:stream';

export interface MediaSource {
  /** Media type, judged by the bytes. */
  type: string;
  /** bytes */
  size: number;
  stream: Readable;
}

/** Null for a fact that the file does not state. */
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
  /** Bits per second. */
  bit_rate: number | null;
}

export interface Media {
  /** Reads no more of the file than necessary, within a time limit, and closes the stream. Throws `MediaError`. */
  factsOf(source: MediaSource): Promise<MediaFacts>;
}

export type MediaErrorCode = 'unknown_format' | 'broken' | 'too_slow';

/** `message` is for people. */
export class MediaError extends Error {
  readonly code: MediaErrorCode;

  constructor(code: MediaErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MediaError';
    this.code = code;
  }
}
