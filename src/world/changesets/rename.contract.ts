import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract, MEMORY } from '../../kit/contract.ts';
import { Text } from '../../kit/schemas.ts';
import { exampleOperation, Operation } from './changesets.contract.ts';

const Id = Type.String({ maxLength: 200 });

export const renameEntity = contract('POST /api/rename-entity', {
  name: 'renameEntity',
  memory: MEMORY.ofProject,
  auth: 'bearer',
  role: PERMISSIONS.edit_entities,
  project: true,
  tag: 'Changesets',
  summary: 'Rename an entity with everything that refers to it',
  description:
    'Its folder, its file, its `id` and every reference in fields and `[[links]]` of other entities follow, as one operation that one undo takes back; its history stays its own. A link without a type follows where no other entity has the id. `dry_run` lists the files and changes nothing. 409, with nothing renamed, when the id is in use or a file that refers to the entity cannot be read.',
  body: Type.Object({
    entity_type: Text,
    old_id: Type.Optional(Id),
    entity_id: Type.Optional(Type.String({ maxLength: 200, description: 'Another word for `old_id`' })),
    new_id: Id,
    name: Type.Optional(Type.String({ minLength: 1, description: 'A new name as well' })),
    dry_run: Type.Optional(Type.Boolean({ default: false })),
  }),
  reply: Type.Object({
    dry_run: Type.Boolean(),
    entity_type: Text,
    old_id: Text,
    new_id: Text,
    files: Type.Array(
      Type.Object({
        entity_type: Text,
        entity_id: Text,
        path: Text,
        new_path: Type.String({ description: 'Where the file lies afterwards' }),
        lines: Type.Integer({ description: 'Lines that change' }),
      }),
      { description: 'At most 5,000' },
    ),
    files_total: Type.Integer(),
    lines_total: Type.Integer(),
    operation: Type.Optional(Operation),
  }),
  accepted: Operation,
  errors: [404, 409],
  example: {
    body: { entity_type: 'character', old_id: 'mira', new_id: 'mira_vale' },
    reply: {
      dry_run: false,
      entity_type: 'character',
      old_id: 'mira',
      new_id: 'mira_vale',
      files: [
        {
          entity_type: 'location',
          entity_id: 'harrow_quay',
          path: 'Locations/harrow_quay/LOC_harrow_quay.md',
          new_path: 'Locations/harrow_quay/LOC_harrow_quay.md',
          lines: 2,
        },
        {
          entity_type: 'character',
          entity_id: 'mira',
          path: 'Characters/mira/CH_mira.md',
          new_path: 'Characters/mira_vale/CH_mira_vale.md',
          lines: 1,
        },
      ],
      files_total: 2,
      lines_total: 3,
      operation: { ...exampleOperation, total: 2, applied: 2 },
    },
  },
});
