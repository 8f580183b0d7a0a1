import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { FIX_KINDS } from '../../content/fixes/index.ts';
import { contract, MEMORY, optionalBody } from '../../kit/contract.ts';
import {
  NullableInteger,
  NullableText,
  named,
  nullableInteger,
  nullableText,
  Text,
} from '../../kit/schemas.ts';
import { Operation } from '../changesets/changesets.contract.ts';

const Kind = Type.Enum([...FIX_KINDS]);
const place = { entity_type: Text, entity_id: Text, file: Text };

const Fix = named('Fix', {
  ...place,
  field: Type.String({ description: 'Dotted path' }),
  kind: Kind,
  before: Type.Unknown({ description: 'Null where the file had nothing' }),
  after: Type.Unknown({ description: 'Null where the value is taken out' }),
  line: nullableInteger('Of the field before the fix; null where the file had no such line'),
  reason: Text,
});

const Unfixable = named('Unfixable', {
  ...place,
  field: NullableText,
  kind: Type.Unsafe<(typeof FIX_KINDS)[number] | null>({ enum: [...FIX_KINDS, null] }),
  value: Type.Unknown(),
  line: NullableInteger,
  reason: Text,
});

export const fixValidation = contract('POST /api/validation/fix', {
  name: 'fixValidation',
  memory: MEMORY.ofProject,
  auth: 'bearer',
  role: PERMISSIONS.edit_entities,
  project: true,
  tag: 'Validation',
  summary: 'Fix mistakes in entities’ files whose meaning is certain',
  description:
    'Of all entities, of a type, or of one. Required fields get the template’s default where it has a real one (`missing_default`); values that say the right thing in the wrong form get the right one: `"42"` for a number, `yes` for true, a number for text, with its digits as written (`type`), a single value for a list (`list`), an option or status in another case (`option`, `status`), a date that can mean one day only (`date`), an `id` or `entity_type` that is no other (`id`), a reference by name where one entity fits (`reference`). References to entities that there are not go only with `remove_dangling` (`dangling_reference`). What is not certain stays and is named in `unfixable`. Only the lines of those fields change, as one operation that one undo takes back. `dry_run` changes nothing.',
  body: optionalBody({
    entity_type: Type.Optional(Type.String({ maxLength: 100 })),
    entity_id: Type.Optional(Type.String({ maxLength: 200, description: 'With its `entity_type`' })),
    kinds: Type.Optional(
      Type.Array(Kind, { maxItems: FIX_KINDS.length, description: 'Default: everything that is safe' }),
    ),
    remove_dangling: Type.Optional(Type.Boolean({ default: false })),
    dry_run: Type.Optional(Type.Boolean({ default: false })),
  }),
  reply: Type.Object({
    dry_run: Type.Boolean(),
    operation_id: nullableText(
      'For `POST /api/operations/{operation_id}/undo`; null where nothing was changed',
    ),
    entities_checked: Type.Integer(),
    entities_changed: Type.Integer(),
    fixed: Type.Array(Fix, { description: 'The first 200' }),
    fixed_total: Type.Integer(),
    counts: Type.Object(Object.fromEntries(FIX_KINDS.map((kind) => [kind, Type.Optional(Type.Integer())])), {
      description: 'Fixes of each kind',
    }),
    skipped: Type.Array(
      Type.Object({ entity_type: NullableText, entity_id: NullableText, path: NullableText, reason: Text }),
      { description: 'The first hundred files that could not be changed, and why' },
    ),
    skipped_total: Type.Integer(),
    unfixable: Type.Array(Unfixable, { description: 'The first 200' }),
    unfixable_total: Type.Integer(),
  }),
  accepted: Operation,
  errors: [404, 409],
  example: {
    body: { entity_type: 'character', dry_run: false },
    reply: {
      dry_run: false,
      operation_id: '6f0a3a2e-8b7b-4a55-b0e5-7f5f0b0c7c11',
      entities_checked: 40,
      entities_changed: 1,
      fixed: [
        {
          entity_type: 'character',
          entity_id: 'mira_vale',
          file: 'Characters/mira_vale/CH_mira_vale.md',
          field: 'birth_year',
          kind: 'type',
          before: '1187',
          after: 1187,
          line: 11,
          reason: 'says a number in another way',
        },
      ],
      fixed_total: 1,
      counts: { type: 1 },
      skipped: [],
      skipped_total: 0,
      unfixable: [
        {
          entity_type: 'character',
          entity_id: 'old_tam',
          file: 'Characters/old_tam/CH_old_tam.md',
          field: 'birth_year',
          kind: 'type',
          value: 'before the flood',
          line: 9,
          reason: 'it is not certain which number is meant',
        },
      ],
      unfixable_total: 1,
    },
  },
});
