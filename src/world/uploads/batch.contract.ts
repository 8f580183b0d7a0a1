import { type Static, Type } from 'typebox';
import { contract, noReply } from '../../kit/contract.ts';
import { closed, NullableText, nullableText } from '../../kit/schemas.ts';
import { byEditors } from '../assets/assets.contract.ts';
import { BATCHES_PATH, LARGEST_UPLOAD, uploadAsset } from '../assets/upload.contract.ts';

const MOST_FILES = 200;
export const MOST_OPEN_BATCHES = 1_000;

const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of its bytes, in hexadecimal',
});

export const BatchFile = closed({
  sha256: Sha256,
  size: Type.Integer({ minimum: 1, maximum: LARGEST_UPLOAD, description: 'Bytes' }),
  filename: Type.String({ minLength: 1, maxLength: 1_000 }),
  ...uploadAsset.body.properties,
});

const UploadRequest = Type.Object({
  method: Type.Literal('PUT'),
  url: Type.String({ description: 'Relative where it is this service: then with the usual token' }),
  headers: Type.Record(Type.String(), Type.String(), { description: 'To be sent along' }),
});

const FileState = Type.Object({
  sha256: Type.String(),
  state: Type.Unsafe<'present' | 'missing' | 'refused'>({
    type: 'string',
    enum: ['present', 'missing', 'refused'],
    description: '`present`: the project has it as an asset; `missing`: its bytes are to be sent',
  }),
  asset_id: NullableText,
  upload: Type.Unsafe<Static<typeof UploadRequest> | null>({
    ...UploadRequest,
    type: ['object', 'null'],
  }),
  detail: nullableText('Why it was refused'),
});

const Batch = Type.Object({
  id: Type.String(),
  expires_at: Type.String(),
  files: Type.Array(FileState, { description: 'In the order in which they were asked for' }),
});

const id = '0f5a5c1e-6a4e-4b57-9c39-0f6f7a6c1a11';
const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const missing = {
  sha256,
  state: 'missing' as const,
  asset_id: null,
  upload: {
    method: 'PUT' as const,
    url: `${BATCHES_PATH}/${id}/bytes?sha256=${sha256}`,
    headers: { 'content-type': 'application/octet-stream' },
  },
  detail: null,
};
const example = { id, expires_at: '2026-03-03T10:15:00.000Z', files: [missing] };
const ofOne = {
  ...byEditors,
  params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
  errors: [404, 409, 410, 503],
} as const;

export const beginBatch = contract(`POST ${BATCHES_PATH}`, {
  ...byEditors,
  name: 'beginBatch',
  summary: 'Ask which of many files are missing, and where to send them',
  description: `What the project has already, by its bytes, need not be sent. Where files lie in object storage, each missing one gets an address there that takes it for a day. A batch is kept for a day; one person may have ${MOST_OPEN_BATCHES}.`,
  body: closed({ files: Type.Array(BatchFile, { minItems: 1, maxItems: MOST_FILES }) }),
  status: 201,
  reply: Batch,
  errors: [402, 404, 409, 503],
  example: { body: { files: [{ sha256, size: 48_211, filename: 'portrait.png' }] }, reply: example },
});

export const getBatch = contract(`GET ${BATCHES_PATH}/{id}`, {
  ...ofOne,
  name: 'getBatch',
  summary: 'What is missing of a batch',
  reply: Batch,
  example: { params: { id }, reply: example },
});

export const putBatchBytes = contract(`PUT ${BATCHES_PATH}/{id}/bytes`, {
  ...ofOne,
  name: 'putBatchBytes',
  summary: 'Send one file of a batch',
  description:
    'For storage that takes no files by an address of its own. Other bytes than were named are refused.',
  query: Type.Object({ sha256: Sha256 }),
  stream: { mediaType: 'application/octet-stream', description: 'The bytes of the file' },
  bodyLimit: LARGEST_UPLOAD,
  status: 204,
  reply: noReply,
  example: { params: { id }, query: { sha256 }, reply: null },
});

export const finalizeBatch = contract(`POST ${BATCHES_PATH}/{id}/finalize`, {
  ...ofOne,
  name: 'finalizeBatch',
  summary: 'Make assets of the files that were sent',
  description:
    'Each is checked against its size and hash first. It may be asked again, at any time and as often as needed: what is an asset stays the same one.',
  reply: Batch,
  example: {
    params: { id },
    reply: {
      ...example,
      files: [{ ...missing, state: 'present' as const, asset_id: 'portrait_3fa94c21d0', upload: null }],
    },
  },
});
