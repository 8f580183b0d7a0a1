import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract, MEMORY } from '../../kit/contract.ts';
import { pageQuery, pageReply } from '../../kit/page.ts';
import { NullableInteger, NullableText, named, nullableText, Text } from '../../kit/schemas.ts';

const properties = {
  operation_id: Text,
  kind: Type.Enum(['import', 'fix', 'rename', 'migration', 'ai', 'undo']),
  label: Type.String({ description: 'What it does, for people' }),
  status: Type.Enum(
    ['running', 'cancelling', 'interrupted', 'done', 'partial', 'cancelled', 'failed', 'undone'],
    {
      description:
        '`partial`: some steps were skipped, see `skipped`. `interrupted`: it stopped half-way and is finished by the next start, or before the next operation. `cancelled`: what it had done stays, the rest was skipped. `failed`: nothing was changed, see `reason`',
    },
  ),
  total: Type.Integer({ description: 'Steps in the plan, one for each file; 0 until the plan is made' }),
  applied: Type.Integer(),
  skipped: Type.Array(
    Type.Object({ entity_type: NullableText, entity_id: NullableText, path: NullableText, reason: Text }),
    { description: 'The first hundred steps that could not be applied, and why' },
  ),
  skipped_total: Type.Integer(),
  undoes: nullableText('The operation that this one took back'),
  undone_by: NullableText,
  reason: nullableText('Why it failed'),
  started_at: Text,
  finished_at: NullableText,
  created_by: Text,
};

export const Operation = named('Operation', properties);

const OperationParams = Type.Object({ operation_id: Text });

export const exampleOperation = {
  operation_id: '6f0a3a2e-8b7b-4a55-b0e5-7f5f0b0c7c11',
  kind: 'rename' as const,
  label: 'Rename character mira to mira_vale',
  status: 'done' as const,
  total: 3,
  applied: 3,
  skipped: [],
  skipped_total: 0,
  undoes: null,
  undone_by: null,
  reason: null,
  started_at: '2026-03-02T10:15:00.000Z',
  finished_at: '2026-03-02T10:15:00.120Z',
  created_by: '0c6f2e0e-8f61-4b2f-9a44-2a7c3e7f9f11',
};
const params = { operation_id: exampleOperation.operation_id };

const shared = { auth: 'bearer', project: true, tag: 'Changesets' } as const;

export const listOperations = contract('GET /api/operations/history', {
  ...shared,
  name: 'listOperations',
  summary: 'List what changed several files at once, newest first',
  query: Type.Object(pageQuery),
  reply: pageReply({ operations: Type.Array(Operation) }),
  example: {
    query: { limit: 10 },
    reply: { total: 1, offset: 0, limit: 10, operations: [exampleOperation] },
  },
});

export const getOperation = contract('GET /api/operations/{operation_id}', {
  ...shared,
  name: 'getOperation',
  summary: 'Read an operation with a page of its steps',
  description: 'While it runs, `applied` grows towards `total`.',
  params: OperationParams,
  query: Type.Object(pageQuery),
  reply: Type.Object({
    ...properties,
    offset: Type.Integer(),
    limit: Type.Integer(),
    steps: Type.Array(
      Type.Object({
        position: Type.Integer(),
        kind: Type.Enum(
          ['create', 'write', 'move', 'asset', 'template', 'delete', 'restore', 'drop', 'return'],
          { description: '`drop` and `return` take an asset away and bring it back' },
        ),
        entity_type: NullableText,
        entity_id: NullableText,
        to_id: NullableText,
        path: NullableText,
        origin: nullableText('What an import made it of, such as `People/Mira Vale.md` or `people.csv:12`'),
        state: Type.Enum(['planned', 'done', 'skipped']),
        reason: NullableText,
        base_checksum: NullableText,
        checksum: NullableText,
        version_before: NullableInteger,
        version_after: NullableInteger,
      }),
    ),
  }),
  errors: [404],
  example: {
    params,
    reply: {
      ...exampleOperation,
      offset: 0,
      limit: 50,
      steps: [
        {
          position: 0,
          kind: 'move',
          entity_type: 'character',
          entity_id: 'mira',
          to_id: 'mira_vale',
          path: 'Characters/mira_vale/CH_mira_vale.md',
          origin: null,
          state: 'done',
          reason: null,
          base_checksum: 'sha256:51ab…',
          checksum: 'sha256:9f2c…',
          version_before: 3,
          version_after: 4,
        },
      ],
    },
  },
});

export const cancelOperation = contract('POST /api/operations/{operation_id}/cancel', {
  ...shared,
  name: 'cancelOperation',
  role: PERMISSIONS.edit_entities,
  summary: 'Stop a running operation',
  description:
    'It ends after the files that are being written. What it has done stays, and `POST /api/operations/{operation_id}/undo` takes it back. A rename is done as a whole or not at all, so it cannot be stopped.',
  params: OperationParams,
  reply: Operation,
  errors: [404, 409],
  example: {
    params,
    reply: {
      ...exampleOperation,
      kind: 'import',
      label: 'Import of 9,742 entities from vault.zip',
      status: 'cancelling',
      total: 9742,
      applied: 1216,
      finished_at: null,
    },
  },
});

export const undoOperation = contract('POST /api/operations/{operation_id}/undo', {
  ...shared,
  name: 'undoOperation',
  memory: MEMORY.ofProject,
  role: PERMISSIONS.edit_entities,
  summary: 'Take an operation back',
  description:
    'An operation of its own, so it can be taken back too. Files go back to what they were; where one was changed since, only the operation’s part is taken out, and where the two overlap the file is left and named in `skipped`. Entities that it created go to the recycle bin.',
  params: OperationParams,
  reply: Operation,
  accepted: Operation,
  errors: [404, 409],
  example: {
    params,
    reply: {
      ...exampleOperation,
      operation_id: 'b1c9d2de-7a0c-4f43-9d5b-0f3a2c9a8e55',
      kind: 'undo',
      label: 'Undo: Rename character mira to mira_vale',
      undoes: exampleOperation.operation_id,
    },
  },
});
