import type { IAudioMetadata, ITrackInfo } from 'music-metadata';
import { type Media, MediaError, type MediaFacts, type MediaSource } from '../media.ts';

const MOST_MS = 20_000;
const VIDEO_TRACK = 1;
const AUDIO_TRACK = 2;

/** From the containers, without decoding. The library is loaded on first use. */
export function createMetadataMedia(mostMs = MOST_MS): Media {
  return {
    async factsOf({ type, size, stream }: MediaSource): Promise<MediaFacts> {
      const { parseStream } = await import('music-metadata');
      const tooSlow = new MediaError('too_slow', `Its facts are not found within ${mostMs / 1000} seconds`);
      let timer: NodeJS.Timeout | undefined;
      const deadline = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(tooSlow), mostMs);
      });
      try {
        const options = { duration: true, skipCovers: true, skipPostHeaders: true };
        const parsed = parseStream(stream, { mimeType: type, size }, options);
        return factsIn(await Promise.race([parsed, deadline]));
      } catch (error) {
        throw error instanceof MediaError ? error : refusal(error);
      } finally {
        clearTimeout(timer);
        stream.destroy();
      }
    },
  };
}

function factsIn({ format }: IAudioMetadata): MediaFacts {
  const track = (type: number): ITrackInfo | undefined => format.trackInfo.find((each) => each.type === type);
  const video = track(VIDEO_TRACK);
  const duration = format.duration ?? video?.duration;
  if ([duration, format.sampleRate, video?.video].every((each) => each === undefined))
    throw new MediaError('broken', 'The file states nothing about its sound or its pictures');
  const isFilm = video !== undefined;
  return {
    duration: finite(duration),
    width: finite(video?.video?.pixelWidth),
    height: finite(video?.video?.pixelHeight),
    container: format.container ?? null,
    audio_codec: codecName(track(AUDIO_TRACK)?.codecName ?? (isFilm ? undefined : format.codec)),
    video_codec: codecName(video?.codecName),
    sample_rate: finite(format.sampleRate),
    channels: finite(format.numberOfChannels),
    bit_rate: finite(format.bitrate),
  };
}

/** Codes unknown to the library come in brackets, or as a number. */
const codecName = (name: string | undefined): string | null =>
  name === undefined || /^non-PCM \(/.test(name) ? null : name.replace(/^<(.+)>$/, '$1');

const finite = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) && value > 0 ? value : null;

function refusal(cause: unknown): MediaError {
  const isUnknown = cause instanceof Error && cause.name === 'UnsupportedFileTypeError';
  return isUnknown
    ? new MediaError('unknown_format', 'The file is not a sound or film of a known format', { cause })
    : new MediaError('broken', 'The file is damaged: it cannot be read to its end', { cause });
}
