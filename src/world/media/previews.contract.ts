import { Type } from 'typebox';
import { binaryReply, contract } from '../../kit/contract.ts';
import { exampleAsset, onAssets } from '../assets/assets.contract.ts';
import { PictureSize, PictureVersion } from './thumbnails.contract.ts';

export const getPreview = contract('GET /api/assets/{id}/preview', {
  ...onAssets,
  name: 'getPreview',
  memory: 0,
  auth: 'none',
  signed: true,
  summary: 'An asset as a picture that any program can show',
  description:
    'PNG. Of a picture: upright, its first frame where it moves, never larger than it is; an SVG is drawn as large as is asked for. Of a sound whose waveform can be had: that, four times as wide as high. 404 for anything else, 413 above 64 MB, 422 for what is damaged.',
  params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
  query: Type.Object({ size: PictureSize(1024), v: PictureVersion }),
  replyType: 'image/png',
  reply: binaryReply,
  errors: [404, 409, 413, 416, 503],
  example: { params: { id: exampleAsset.id }, query: { size: 512 } },
});
