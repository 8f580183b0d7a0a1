export interface JpegOptions {
  /** Longest side of the result in pixels; a smaller image is not enlarged. */
  within: number;
}

export interface ImageMeasure {
  /** Pixels of the upright image. */
  width: number;
  height: number;
  /** 64 bits as 16 hex digits, similar for images that look alike; null for an image with too many pixels to decode. */
  hash: string | null;
  /** A ThumbHash of about 25 bytes in Base64, to show while the image loads; null if `hash` is null. */
  placeholder: string | null;
}

export type ThumbnailFormat = 'webp' | 'png';

export interface Thumbnail {
  width: number;
  height: number;
  bytes: Uint8Array;
}

/** Rows of pixels from the top, four bytes each: red, green, blue, alpha. */
export interface Pixels {
  width: number;
  height: number;
  bytes: Uint8Array;
}

/** An image's bytes, or the absolute path of its file, which then need not be held in memory. */
export type PictureSource = Uint8Array | { path: string };

/** Images from anyone: JPEG, PNG and WebP, recognized only by their bytes. */
export interface Images {
  /**
   * Converts the image to a JPEG: upright, with its proportions, on white where it is transparent, the first frame of an
   * animation, and without metadata. Throws `ImageError`.
   */
  toJpeg(bytes: Uint8Array, options: JpegOptions): Promise<Uint8Array>;
  /** Size, hash and placeholder; also measures GIF, AVIF and TIFF. Throws `ImageError`. */
  measure(picture: PictureSource): Promise<ImageMeasure>;
  /**
   * Scales the image to each of the longest sides, in their order: upright, with its proportions and transparency, not
   * enlarged, the first frame of an animation, and without metadata. Also draws GIF, AVIF, TIFF and SVG: an SVG in any
   * size, without loading anything that it refers to. Throws `ImageError`.
   */
  toThumbnails(
    picture: PictureSource,
    sides: readonly number[],
    format?: ThumbnailFormat,
  ): Promise<Thumbnail[]>;
  toPng(pixels: Pixels): Promise<Uint8Array>;
}

export type ImageErrorCode = 'unknown_format' | 'too_many_pixels' | 'broken' | 'busy';

/** `message` is for people. */
export class ImageError extends Error {
  readonly code: ImageErrorCode;

  constructor(code: ImageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ImageError';
    this.code = code;
  }
}
