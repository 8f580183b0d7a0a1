import { Type } from 'typebox';
import { contract, noReply } from '../../kit/contract.ts';
import { nullableText } from '../../kit/schemas.ts';
import { byEditors } from '../assets/assets.contract.ts';
import { LARGEST_RESUMABLE, RESUMABLE_PATH } from '../assets/upload.contract.ts';

/** Over all unfinished uploads of a person, in every project. */
export const MOST_WAITING_BYTES = 5 * LARGEST_RESUMABLE;

const Upload = Type.Object({
  id: Type.String(),
  offset: Type.Integer({ description: 'Bytes that are here' }),
  length: Type.Integer({ description: 'Bytes of the whole' }),
  expires_at: Type.String({ description: 'Until when the rest may be sent' }),
  asset_id: nullableText('What it became once all of it was there'),
});
const example = {
  id: '5b6ff0c4-9f7a-4f0e-8d35-6a4c2f0f9e11',
  offset: 1_048_576,
  length: 2_147_483_648,
  expires_at: '2026-03-09T10:15:00.000Z',
  asset_id: null,
};

const TUS =
  'Uses the tus protocol (tus.io), version 1.0.0, with the header `Tus-Resumable: 1.0.0`; any tus client will do.';
const ofOne = {
  ...byEditors,
  params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
  errors: [404, 410, 412],
} as const;

export const describeUploads = contract(`OPTIONS ${RESUMABLE_PATH}`, {
  name: 'describeUploads',
  auth: 'none',
  tag: byEditors.tag,
  summary: 'Which parts of the tus protocol are supported',
  description: `In headers: \`Tus-Version\`, \`Tus-Extension\`, and \`Tus-Max-Size\`, the bytes of the largest upload.`,
  status: 204,
  reply: noReply,
  example: { reply: null },
});

export const beginUpload = contract(`POST ${RESUMABLE_PATH}`, {
  ...byEditors,
  name: 'beginUpload',
  summary: 'Begin an upload that can be resumed',
  description: `${TUS} \`Upload-Length\` says how many bytes will come, at most ${LARGEST_RESUMABLE}; \`Upload-Metadata\` holds \`filename\` and any field of the form of \`POST /api/assets/upload\`. \`Location\` says where to send them. What you have under way may have ${MOST_WAITING_BYTES} bytes together.`,
  status: 201,
  reply: Upload,
  errors: [402, 404, 409, 412, 413],
  example: { reply: { ...example, offset: 0 } },
});

export const getUpload = contract(`GET ${RESUMABLE_PATH}/{id}`, {
  ...ofOne,
  name: 'getUpload',
  summary: 'How far an upload is',
  description: `With HEAD, by the tus protocol: \`Upload-Offset\` says from which byte to go on. Only who began it finds it.`,
  reply: Upload,
  errors: [...ofOne.errors, 402],
  example: { params: { id: example.id }, reply: example },
});

export const appendUpload = contract(`PATCH ${RESUMABLE_PATH}/{id}`, {
  ...ofOne,
  name: 'appendUpload',
  summary: 'Send more of an upload',
  description: `${TUS} \`Upload-Offset\` says from which byte. With the last byte the file becomes an asset, as by \`POST /api/assets/upload\`.`,
  stream: { mediaType: 'application/offset+octet-stream', description: 'The bytes from the offset on' },
  bodyLimit: LARGEST_RESUMABLE,
  status: 204,
  reply: noReply,
  errors: [...ofOne.errors, 402, 409, 503],
  example: { params: { id: example.id }, reply: null },
});

export const dropUpload = contract(`DELETE ${RESUMABLE_PATH}/{id}`, {
  ...ofOne,
  name: 'dropUpload',
  summary: 'Cancel an upload',
  description: `${TUS} What it has become stays.`,
  status: 204,
  reply: noReply,
  example: { params: { id: example.id }, reply: null },
});
