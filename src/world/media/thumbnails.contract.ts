import { Type } from 'typebox';
import { binaryReply, contract } from '../../kit/contract.ts';
import { closed } from '../../kit/schemas.ts';
import { byEditors, exampleAsset, onAssets } from '../assets/assets.contract.ts';

/** Pixels of the longest side. */
export const THUMBNAIL_SIZES = [128, 256, 512, 1024] as const;
export type ThumbnailSize = (typeof THUMBNAIL_SIZES)[number];
const Size = Type.Unsafe<ThumbnailSize>({ type: 'integer', enum: [...THUMBNAIL_SIZES] });

/** Digits of a version in a URL that make it unique. */
const ENOUGH_DIGITS = 16;

/** True if a URL's version names the bytes of this checksum. */
export const isVersion = (checksum: string, version: string | undefined): boolean =>
  version !== undefined && version.length >= ENOUGH_DIGITS && checksum.startsWith(version);

/** The query parameter. */
export const PictureSize = (usual: ThumbnailSize) =>
  Type.Optional(
    Type.Unsafe<ThumbnailSize>({ ...Size, default: usual, description: 'Pixels of the longest side' }),
  );
export const PictureVersion = Type.Optional(
  Type.String({
    maxLength: 64,
    description: "The asset's SHA-256 or its beginning: with it, the answer may be kept for ever",
  }),
);

const { id, checksum_sha256 } = exampleAsset;
const url = `/api/assets/${id}/thumbnail?size=256&v=${checksum_sha256.slice(0, ENOUGH_DIGITS)}`;

export const getThumbnail = contract('GET /api/assets/{id}/thumbnail', {
  ...onAssets,
  name: 'getThumbnail',
  memory: 0,
  auth: 'none',
  signed: true,
  summary: 'A picture, small',
  description:
    'WebP, upright, without metadata, never larger than the picture itself; made when it is asked for first. 404 for what cannot be drawn, 413 above 64 MB, 422 for a picture that is damaged or has more than 40 million pixels.',
  params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
  query: Type.Object({ size: PictureSize(256), v: PictureVersion }),
  replyType: 'image/webp',
  reply: binaryReply,
  errors: [404, 409, 413, 416, 503],
  example: { params: { id }, query: { size: 256 } },
});

export const makeThumbnails = contract('POST /api/assets/thumbnail', {
  ...byEditors,
  name: 'makeThumbnails',
  memory: 0,
  summary: 'Make thumbnails of an asset ahead',
  description: 'Those that are there stay as they are. The addresses may be kept for ever.',
  body: closed({
    asset_id: Type.String({ minLength: 1, maxLength: 100 }),
    sizes: Type.Optional(
      Type.Array(Size, { minItems: 1, maxItems: THUMBNAIL_SIZES.length, uniqueItems: true }),
    ),
  }),
  reply: Type.Object({
    asset_id: Type.String(),
    checksum_sha256: Type.String(),
    thumbnails: Type.Array(Type.Object({ size: Size, url: Type.String() })),
  }),
  errors: [404, 409, 413, 503],
  example: {
    body: { asset_id: id, sizes: [256] },
    reply: { asset_id: id, checksum_sha256, thumbnails: [{ size: 256, url }] },
  },
});
