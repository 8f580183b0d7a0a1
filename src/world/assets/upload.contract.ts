import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { closed } from '../../kit/schemas.ts';
import { Asset, byEditors, exampleAsset, onAssets } from './assets.contract.ts';

const MB = 1024 * 1024;
const LARGEST_IMAGE = 50 * MB;
export const LARGEST_UPLOAD = 512 * MB;
export const LARGEST_RESUMABLE = 10 * 1024 * MB;
export const RESUMABLE_PATH = '/api/uploads';
export const BATCHES_PATH = `${RESUMABLE_PATH}/batches`;

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));

const options = {
  overwrite: Type.Optional(
    Type.Boolean({
      description:
        'Replaces a file of the same name, which goes to the recycle bin; else a free name is taken',
    }),
  ),
  tags: text(1_000, 'Comma-separated'),
  description: text(5_000, 'What it shows'),
  license: text(200, 'Such as CC-BY-4.0'),
  source: text(1_000, 'Where it comes from'),
};
const ofEntity = {
  ...options,
  is_primary: Type.Optional(Type.Boolean({ description: "Makes it the entity's primary asset" })),
  subfolder: text(100, 'Another folder of the entity than the one of its kind, such as maps'),
};

const shared = {
  ...byEditors,
  status: 201,
  reply: Asset,
  errors: [402, 404, 409, 503],
} as const;

const EFFECT =
  'The bytes say what it is, and where it goes; the name is made safe, true and free. The file is there once this answers.';

const uploadImageOf = (type: 'character' | 'location' | 'brand', name: string) =>
  contract(`POST /api/upload/${type}/{id}/image`, {
    ...shared,
    name,
    summary: `Upload a picture of a ${type}`,
    description: EFFECT,
    params: Type.Object({ id: Type.String({ maxLength: 100 }) }),
    files: { file: { description: 'The picture', maxBytes: LARGEST_IMAGE } },
    body: closed(ofEntity),
    example: { params: { id: 'mira_vale' }, reply: exampleAsset },
  });

export const uploadCharacterImage = uploadImageOf('character', 'uploadCharacterImage');
export const uploadLocationImage = uploadImageOf('location', 'uploadLocationImage');
export const uploadBrandImage = uploadImageOf('brand', 'uploadBrandImage');

export const uploadEntityFile = contract('POST /api/upload/{type}/{id}', {
  ...shared,
  name: 'uploadEntityFile',
  summary: 'Upload a file of an entity',
  description: EFFECT,
  params: Type.Object({ type: Type.String(), id: Type.String({ maxLength: 100 }) }),
  files: { file: { description: 'The file', maxBytes: LARGEST_UPLOAD } },
  body: closed(ofEntity),
  example: { params: { type: 'character', id: 'mira_vale' }, reply: exampleAsset },
});

export const uploadAsset = contract('POST /api/assets/upload', {
  ...shared,
  name: 'uploadAsset',
  summary: 'Upload a file',
  description: `${EFFECT} With \`entity_type\` and \`entity_id\` it goes to that entity, else to the folder Assets.`,
  files: { file: { description: 'The file', maxBytes: LARGEST_UPLOAD } },
  body: closed({
    ...ofEntity,
    entity_type: Type.Optional(Type.String()),
    entity_id: Type.Optional(Type.String()),
  }),
  example: { reply: exampleAsset },
});

export const listUploaders = contract('GET /api/assets/uploaders', {
  ...onAssets,
  name: 'listUploaders',
  summary: 'The ways in which files can be uploaded',
  reply: Type.Object({
    uploaders: Type.Array(
      Type.Object({
        id: Type.String(),
        path: Type.String(),
        max_bytes: Type.Integer(),
        resumable: Type.Boolean(),
      }),
    ),
  }),
  example: {
    reply: {
      uploaders: [{ id: 'form', path: '/api/assets/upload', max_bytes: LARGEST_UPLOAD, resumable: false }],
    },
  },
});
