import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract, MEMORY } from '../../kit/contract.ts';
import { NullableInteger, NullableText, Text } from '../../kit/schemas.ts';
import { exampleOperation, Operation } from './changesets.contract.ts';

const Field = Type.String({ minLength: 1, maxLength: 200 });

const Change = Type.Union([
  Type.Object({ kind: Type.Literal('rename'), field: Field, to: Field }),
  Type.Object({
    kind: Type.Literal('retype'),
    field: Field,
    type: Type.Enum(['string', 'number', 'boolean', 'array', 'object']),
  }),
  Type.Object({ kind: Type.Literal('remove'), field: Field }),
  Type.Object({
    kind: Type.Literal('add'),
    field: Field,
    value: Type.Optional(Type.Unknown({ description: 'Default: the template’s default of the field' })),
  }),
]);

const place = { entity_id: Text, path: Text, line: NullableInteger };

export const migrateTemplate = contract('POST /api/templates/{name}/migration', {
  name: 'migrateTemplate',
  memory: MEMORY.ofProject,
  auth: 'bearer',
  role: PERMISSIONS.manage_templates,
  project: true,
  tag: 'Changesets',
  summary: 'Make a type’s entities follow a change of its fields',
  description:
    'Renames, retypes, removes or adds top-level fields in every file of the type, changing only the lines of those fields, as one operation that one undo takes back. A value that cannot follow stays as it is and is named in `refused`. `dry_run` shows the effect and changes nothing. `update_template` changes the template’s own fields, their form hints and its version as well.',
  params: Type.Object({
    name: Type.String({
      maxLength: 100,
      description: 'The type, `CHARACTER_TEMPLATE` or `CHARACTER_TEMPLATE.md`',
    }),
  }),
  body: Type.Object({
    changes: Type.Array(Change, { minItems: 1, maxItems: 20 }),
    update_template: Type.Optional(Type.Boolean({ default: false })),
    dry_run: Type.Optional(Type.Boolean({ default: false })),
  }),
  reply: Type.Object({
    dry_run: Type.Boolean(),
    entity_type: Text,
    entities_total: Type.Integer(),
    entities_changed: Type.Integer(),
    lines_total: Type.Integer(),
    unreadable: Type.Array(Type.Object({ path: Text, line: Type.Integer(), reason: Text })),
    unreadable_total: Type.Integer(),
    changes: Type.Array(
      Type.Object({
        kind: Text,
        field: Text,
        having: Type.Integer({ description: 'Entities whose file has the field' }),
        changed: Type.Integer(),
        refused_total: Type.Integer(),
        refused: Type.Array(Type.Object({ ...place, value: Text, reason: Text })),
        sample: Type.Array(Type.Object({ ...place, before: NullableText, after: NullableText }), {
          description: 'The first twenty; values as JSON, cut after 200 characters',
        }),
      }),
    ),
    template: Type.Optional(Type.Object({ path: Text, lines: Type.Integer() })),
    operation: Type.Optional(Operation),
  }),
  accepted: Operation,
  errors: [404, 409],
  example: {
    params: { name: 'character' },
    body: { changes: [{ kind: 'retype', field: 'birth_year', type: 'number' }] },
    reply: {
      dry_run: false,
      entity_type: 'character',
      entities_total: 40,
      entities_changed: 38,
      lines_total: 38,
      unreadable: [],
      unreadable_total: 0,
      changes: [
        {
          kind: 'retype',
          field: 'birth_year',
          having: 39,
          changed: 38,
          refused_total: 1,
          refused: [
            {
              entity_id: 'old_tam',
              path: 'Characters/old_tam/CH_old_tam.md',
              line: 9,
              value: '"before the flood"',
              reason: 'is no number',
            },
          ],
          sample: [
            {
              entity_id: 'mira_vale',
              path: 'Characters/mira_vale/CH_mira_vale.md',
              line: 11,
              before: '"1187"',
              after: '1187',
            },
          ],
        },
      ],
      operation: {
        ...exampleOperation,
        kind: 'migration',
        label: 'Migrate character: make birth_year number',
        total: 38,
        applied: 38,
      },
    },
  },
});
