export interface JpegOptions {
  /** Longest side of the result in pixels; a smaller image is not enlarged. */
  within: number;
}

export interface ImageMeasure {
  /** Pixels of the upright image. */
  width: number;
  height: number;
  /** 16 hex digits, similar for images that look alike; null for an image with too many pixels to decode. */
  hash: string | null;
  /** A ThumbHash in Base64, to show while the image loads; null if `hash` is null. */
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

/** By its path a file need not be held in memory. */
export type PictureSource = Uint8Array | { path: string };

/** JPEG, PNG and WebP from anyone, recognized only by their bytes. */
export interface Images {
  /** Upright, on white where transparent, the first frame of an animation, without metadata. Throws `ImageError`. */
  toJpeg(bytes: Uint8Array, options: JpegOptions): Promise<Uint8Array>;
  /** Size, hash and placeholder; also measures GIF, AVIF and TIFF. Throws `ImageError`. */
  measure(picture: PictureSource): Promise<ImageMeasure>;
  /**
   * One for each of the longest sides, in their order: upright, with transparency, not enlarged, the first frame of an
   * animation, without metadata. Also draws GIF, AVIF, TIFF and SVG, an SVG without loading anything that it refers to.
   * Throws `ImageError`.
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
