import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { type Contract, contract } from '../../kit/contract.ts';
import { closed, NullableText, named, nullableInteger } from '../../kit/schemas.ts';

const Word = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 2_000, description }));
const Bytes = nullableInteger('Null where nobody knows');

const fields = {
  path: Word('local: a folder of the machine, which exists'),
  bucket: Word('s3'),
  region: Word('s3; `us-east-1` unless given'),
  endpoint: Word("s3, azure: address of another service than the provider's own"),
  container: Word('azure'),
  account: Word('azure'),
};

const pathStyle = Type.Optional(
  Type.Boolean({
    description:
      's3: whether the bucket stands in the path, not in the name of the host. Unless given, it is found out',
  }),
);

const Settings = named('StorageSettings', {
  configured: Type.Boolean(),
  provider: Type.Unsafe<'local' | 's3' | 'azure' | null>({ enum: ['local', 's3', 'azure', null] }),
  is_default: Type.Boolean({
    description: 'Whether nothing was set, so that files lie in the content folder',
  }),
  ...fields,
  path_style: pathStyle,
  access_key: Word('s3: its last four signs'),
  secret_key: Word('s3: `***`'),
  account_key: Word('azure: `***`'),
  connection_string: Word('azure: `***`'),
  sas_token: Word('azure: `***`'),
  content: Type.Object(
    {
      provider: Type.Enum(['local', 's3', 'azure']),
      location: NullableText,
      endpoint: NullableText,
      is_here: Type.Boolean({
        description:
          'Whether the content is in this storage. While it is not, it is served from where it is, and `POST /api/settings/storage/move` moves it here',
      }),
    },
    { description: 'Where the content is; `location` is null for the installation’s own folder' },
  ),
  updated_at: NullableText,
  updated_by: NullableText,
});

const shared = {
  auth: 'bearer',
  role: PERMISSIONS.manage_settings,
  tag: 'Storage',
} satisfies Partial<Contract>;

const example = {
  configured: true,
  provider: 's3' as const,
  is_default: false,
  bucket: 'worlds',
  region: 'eu-central-1',
  endpoint: 'https://objects.example.com',
  path_style: true,
  access_key: '***9XYZ',
  secret_key: '***',
  content: { provider: 'local' as const, location: null, endpoint: null, is_here: false },
  updated_at: '2026-03-04T05:06:07.890Z',
  updated_by: '0b7c5f1e-8f57-4a53-9d2b-3a3f0f6d2c11',
};

export const getStorageSettings = contract('GET /api/settings/storage', {
  name: 'getStorageSettings',
  ...shared,
  summary: 'Where files are stored',
  description: 'Credentials are masked. 409 when they were sealed with another `ENCRYPTION_KEY`.',
  reply: Settings,
  errors: [409],
  example: { reply: example },
});

export const putStorageSettings = contract('PUT /api/settings/storage', {
  name: 'putStorageSettings',
  ...shared,
  summary: 'Set where files are stored',
  description:
    '`local`: `path`. `s3`: `bucket`, `access_key`, `secret_key`, and `region`, `endpoint`, `path_style` where needed. `azure`: `container` and `connection_string`, or `account` with `account_key` or `sas_token`, and `endpoint` where needed. The storage is tried out first: an object of a random name is written, read, compared and deleted. If any of it fails, the answer is 400 with what failed, and what was set before stays in force. Content that is elsewhere stays there, in use, until it is moved (`content.is_here` in the reply, `POST /api/settings/storage/move`); a tenant without content has it here from its first project on. New credentials for the place where the content is count at once. The folder of the content as `path` goes back to the default.',
  body: closed({
    provider: Type.String({ minLength: 1, maxLength: 100, description: 'local, s3 or azure' }),
    ...fields,
    path_style: pathStyle,
    access_key: Word('s3'),
    secret_key: Word('s3'),
    account_key: Word('azure'),
    connection_string: Word('azure'),
    sas_token: Word('azure'),
  }),
  reply: Settings,
  errors: [400, 409],
  example: {
    body: {
      provider: 's3',
      bucket: 'worlds',
      region: 'eu-central-1',
      endpoint: 'https://objects.example.com',
      access_key: 'AKIA2EXAMPLE9XYZ',
      secret_key: 'the secret key',
    },
    reply: example,
  },
});

export const getStorageInfo = contract('GET /api/storage/info', {
  name: 'getStorageInfo',
  ...shared,
  summary: 'How much space the storage has',
  description:
    'Of a folder: its file system. Other providers do not say. 409 where no storage is set, or its folder is gone.',
  reply: named('StorageInfo', {
    provider: Type.Enum(['local', 's3', 'azure']),
    location: Type.String({ description: 'Folder, bucket or container' }),
    endpoint: NullableText,
    total_bytes: Bytes,
    available_bytes: Bytes,
    used_bytes: Bytes,
  }),
  errors: [409, 503],
  example: {
    reply: {
      provider: 'local',
      location: '/srv/world',
      endpoint: null,
      total_bytes: 512_000_000_000,
      available_bytes: 128_000_000_000,
      used_bytes: 384_000_000_000,
    },
  },
});
