import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { type Contract, contract } from '../../kit/contract.ts';
import { NullableText, named, nullableText } from '../../kit/schemas.ts';

const Location = Type.Object(
  {
    provider: Type.Enum(['local', 's3', 'azure']),
    location: NullableText,
    endpoint: NullableText,
  },
  { description: '`location` is the folder, bucket or container; null is the installation’s own folder' },
);

const StorageMove = named('StorageMove', {
  move_id: Type.String(),
  status: Type.Enum(['copying', 'done', 'cancelled']),
  from: Location,
  to: Location,
  files_total: Type.Integer(),
  files_done: Type.Integer({ description: 'Copied and read back' }),
  bytes_total: Type.Integer(),
  bytes_done: Type.Integer(),
  problem: nullableText(
    'What hindered it last: the storage does not answer, or these files could not be copied, and why; all others are. It goes on by itself, however long that takes',
  ),
  started_at: Type.String(),
  finished_at: NullableText,
  started_by: Type.String(),
});

const shared = {
  auth: 'bearer',
  role: PERMISSIONS.manage_settings,
  tag: 'Storage',
  reply: StorageMove,
} satisfies Partial<Contract>;

const example = {
  reply: {
    move_id: '0b7c5f1e-8f57-4a53-9d2b-3a3f0f6d2c11',
    status: 'copying' as const,
    from: { provider: 'local' as const, location: null, endpoint: null },
    to: { provider: 's3' as const, location: 'worlds', endpoint: 'https://objects.example.com' },
    files_total: 12_000,
    files_done: 4_350,
    bytes_total: 8_400_000_000,
    bytes_done: 2_900_000_000,
    problem: null,
    started_at: '2026-03-04T05:06:07.890Z',
    finished_at: null,
    started_by: '0b7c5f1e-8f57-4a53-9d2b-3a3f0f6d2c11',
  },
};

export const startStorageMove = contract('POST /api/settings/storage/move', {
  ...shared,
  name: 'startStorageMove',
  summary: 'Move the content to the storage that is set',
  description:
    'Copies the files of all projects from where they are to the storage of `PUT /api/settings/storage`. Each is read back and compared, then the whole is; then the new place counts, all at once. Reading and writing go on meanwhile; changes wait a few seconds for the last round. It goes on after a restart, and waits for a storage that does not answer. A file that cannot be copied is told in `problem` and tried again, after all others; what is damaged at the new place is written anew, and nothing counts there while a file is missing. The old place stays as it was until somebody removes it. What lies in the way at the new place is put into `_RecycleBin/_storage/{move_id}` there. Hidden files and symbolic links are no content and stay behind. A move that is under way is given as it stands.',
  errors: [409],
  example,
});

export const getStorageMove = contract('GET /api/settings/storage/move', {
  ...shared,
  name: 'getStorageMove',
  summary: 'How the last move of the content is doing',
  errors: [404, 409],
  example,
});

export const cancelStorageMove = contract('DELETE /api/settings/storage/move', {
  ...shared,
  name: 'cancelStorageMove',
  summary: 'Cancel a move of the content',
  description:
    'The content stays where it was. What was already copied stays at the new place, but is no longer used.',
  errors: [404, 409],
  example,
});
