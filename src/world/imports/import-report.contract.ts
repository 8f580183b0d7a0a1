import { Type } from 'typebox';
import { NullableInteger, NullableText, named, nullableText, Text } from '../../kit/schemas.ts';

const Confidence = Type.Number({ minimum: 0, maximum: 1 });

const Proposal = Type.Object(
  { to: Text, confidence: Confidence, reason: Text },
  { description: 'What it may be: a guess under 80 %, which nothing was done about' },
);

export const RefusalItem = Type.Object({
  place: Text,
  reason: Text,
  value: Type.Optional(Type.Unknown()),
  property: Type.Optional(Text),
  proposed: Type.Optional(Proposal),
});

export const UntypedNoteItem = Type.Object(
  {
    place: Text,
    code: Type.Enum(['no_type', 'left_out']),
    proposed: Type.Optional(Proposal),
  },
  {
    description:
      'A note that becomes an entity once `types` says what it is: nothing says it, or it was left out as you asked',
  },
);

const noteProperties = {
  place: Type.String({ description: 'Where it stands in its source, such as `people.csv:12`' }),
  action: Type.Enum(['create', 'merge', 'replace', 'skip', 'refuse']),
  reason: nullableText('Why it is skipped or refused'),
  name: Text,
  entity_type: Text,
  type_confidence: Confidence,
  type_reason: Text,
  entity_id: Text,
  wanted_id: nullableText('The id that another note of the same import had already'),
  kept: Type.Array(Text, { description: 'Properties that are fields as they stand' }),
  mapped: Type.Array(
    Type.Object({
      from: Text,
      to: Text,
      confidence: Confidence,
      reason: Text,
      original_kept_as: Type.Optional(
        Type.String({
          description: 'The key that holds the value as it was, where the field does not hold all of it',
        }),
      ),
    }),
  ),
  kept_aside: Type.Array(
    Type.Object({ from: Text, to: Text, reason: Text, proposed: Type.Optional(Proposal) }),
    { description: 'Properties that fit no field surely; they stand in the file under `to`, as they were' },
  ),
  refused: Type.Array(RefusalItem),
  links: Type.Object({
    resolved: Type.Integer(),
    unresolved: Type.Array(Type.Object({ line: NullableInteger, text: Text, reason: Text })),
  }),
  attachments: Type.Array(Type.Object({ from: Text, to: Text })),
};

export const ImportNote = named('ImportNote', noteProperties);

const Field = Type.Object(
  { field: NullableText, message: Text, code: Text, severity: Text },
  { additionalProperties: true },
);

export const PreviewNote = named('ImportPreviewNote', {
  ...noteProperties,
  entity: Type.Union([
    Type.Null(),
    Type.Object({
      path: Text,
      status: Text,
      fields: Type.Record(Type.String(), Type.Unknown()),
      markdown_body: Text,
      primary_asset: NullableText,
      validation_errors: Type.Array(Field),
      is_valid: Type.Boolean(),
    }),
  ]),
});

const Count = Type.Integer();

export const ImportTotals = named('ImportTotals', {
  notes: Type.Object({
    total: Count,
    create: Count,
    merge: Count,
    replace: Count,
    skip: Count,
    refuse: Count,
  }),
  properties: Type.Object(
    { total: Count, kept: Count, mapped: Count, kept_aside: Count, refused: Count },
    { description: 'Of the notes that are taken in; the last four add up to `total`' },
  ),
  links: Type.Object({ resolved: Count, unresolved: Count }),
  attachments: Count,
  refused: Type.Integer({ description: 'Everything that is refused, in notes and outside of them' }),
});

const example = {
  place: 'People/Mira Vale.md',
  action: 'create' as const,
  reason: null,
  name: 'Mira Vale',
  entity_type: 'character',
  type_confidence: 0.9,
  type_reason: 'it lies in People',
  entity_id: 'mira_vale',
  wanted_id: null,
  kept: ['tags'],
  mapped: [{ from: 'born', to: 'birth_year', confidence: 0.8, reason: 'another word for it, as a number' }],
  kept_aside: [{ from: 'mood', to: 'mood', reason: 'no field fits it' }],
  refused: [],
  links: { resolved: 1, unresolved: [{ line: 12, text: '[[Nobody]]', reason: 'nothing has this name' }] },
  attachments: [],
};

export const exampleNote = example;

export const exampleTextNote = {
  ...example,
  place: 'the text',
  type_confidence: 1,
  type_reason: 'asked for',
  kept: ['birth_year', 'mood'],
  mapped: [],
  kept_aside: [],
  links: { resolved: 0, unresolved: [] },
};

export const exampleTotals = {
  notes: { total: 1, create: 1, merge: 0, replace: 0, skip: 0, refuse: 0 },
  properties: { total: 3, kept: 1, mapped: 1, kept_aside: 1, refused: 0 },
  links: { resolved: 1, unresolved: 1 },
  attachments: 0,
  refused: 0,
};
