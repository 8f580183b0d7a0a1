export interface JpegOptions {
  /** Longest side of the result in pixels; a smaller picture is not enlarged. */
  within: number;
}

export interface ImageMeasure {
  /** Pixels of the picture as its camera held it. */
  width: number;
  height: number;
  /** 64 bits as 16 hex digits, alike for pictures that look alike; null for one with too many pixels to decode. */
  hash: string | null;
  /** About 25 bytes to show while the picture is on its way: a ThumbHash in Base64; null where `hash` is. */
  placeholder: string | null;
}

export type ThumbnailFormat = 'webp' | 'png';

export interface Thumbnail {
  width: number;
  height: number;
  bytes: Uint8Array;
}

/** Rows of pixels from above, four bytes each: red, green, blue, and how opaque it is. */
export interface Pixels {
  width: number;
  height: number;
  bytes: Uint8Array;
}

/** A picture's bytes, or the absolute path of the file that holds them: then they need not be held as well. */
export type PictureSource = Uint8Array | { path: string };

/** Pictures that anyone may send: JPEG, PNG and WebP, recognised by their bytes alone. */
export interface Images {
  /**
   * The picture as a JPEG: upright as its camera held it, with its proportions, on white where it is transparent, its
   * first frame where it moves, and nothing of its metadata. Throws `ImageError`.
   */
  toJpeg(bytes: Uint8Array, options: JpegOptions): Promise<Uint8Array>;
  /** Size and looks; GIF, AVIF and TIFF are measured, too. Throws `ImageError`. */
  measure(picture: PictureSource): Promise<ImageMeasure>;
  /**
   * The picture once for each of the longest sides, in their order: upright, with its proportions, not enlarged, its
   * first frame where it moves, and nothing of its metadata; what is transparent stays so. GIF, AVIF, TIFF and SVG are
   * drawn, too: an SVG as large as is asked for, and nothing that it refers to is loaded. Throws `ImageError`.
   */
  toThumbnails(
    picture: PictureSource,
    sides: readonly number[],
    format?: ThumbnailFormat,
  ): Promise<Thumbnail[]>;
  /** Pixels that were made here, as a PNG. */
  toPng(pixels: Pixels): Promise<Uint8Array>;
}

export type ImageErrorCode = 'unknown_format' | 'too_many_pixels' | 'broken' | 'busy';

/** `message` is meant for people. */
export class ImageError extends Error {
  readonly code: ImageErrorCode;

  constructor(code: ImageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ImageError';
    this.code = code;
  }
}
