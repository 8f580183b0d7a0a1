import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract, MEMORY } from '../../kit/contract.ts';
import { closed, NullableText, named, oneOf } from '../../kit/schemas.ts';
import { exampleOperation, Operation } from '../changesets/changesets.contract.ts';
import { Entity, exampleEntity } from '../entities/entities.contract.ts';
import { askProperties, ShownQuestion, UsedModel } from '../models/question.contract.ts';
import {
  exampleNote,
  exampleTextNote,
  exampleTotals,
  ImportNote,
  ImportTotals,
  PreviewNote,
  RefusalItem,
  UntypedNoteItem,
} from './import-report.contract.ts';

const MB = 1024 * 1024;
const TypeName = Type.String({ minLength: 1, maxLength: 100 });

export const Mapping = Type.Record(Type.String(), NullableText, {
  description:
    'Where properties go, by their names in the source: a field, `name`, `status`, `markdown_body`, another key, or null to keep one as it is',
});

export const Types = Type.Record(Type.String(), Type.Union([TypeName, Type.Null()]), {
  maxProperties: 20_000,
  description:
    'The types of notes by the place that the report names, or of all notes in a file or folder: `{"People": "character", "Places/Inn.md": "location", "Drafts": null}`. The nearest place counts, before `entity_type`; null leaves its notes out',
});

const IncludeJson = Type.Boolean({
  default: false,
  description: 'Whether `.json` files among `files`, or in the archive, hold entities',
});

const JsonText = Type.String({
  maxLength: 4 * MB,
  description: 'As in `POST /api/import/smart`, as JSON text',
});

const sources = {
  content: Type.Optional(Type.String({ description: 'One text: markdown, CSV or JSON' })),
  format: Type.Optional(
    Type.Enum(['markdown', 'csv', 'json'], {
      description: 'Of `content`; told from it where it is left out',
    }),
  ),
  files: Type.Optional(
    Type.Array(
      closed({
        path: Type.String({ description: 'As in the folder they come from; folders may name types' }),
        content: Type.String(),
        encoding: Type.Optional(Type.Enum(['utf8', 'base64'], { default: 'utf8' })),
      }),
      {
        description:
          'Notes (`.md`), tables (`.csv`, `.tsv`), with `include_json` also `.json`, and the pictures and sounds that notes show',
      },
    ),
  ),
  entity_type: Type.Optional(Type.String({ ...TypeName, description: 'The type of everything' })),
  default_type: Type.Optional(
    Type.String({ ...TypeName, description: 'The type of notes that do not say theirs' }),
  ),
  types: Type.Optional(Types),
  mapping: Type.Optional(Mapping),
  include_json: Type.Optional(IncludeJson),
};

const Mode = Type.Enum(['skip', 'merge', 'replace'], {
  default: 'skip',
  description:
    'What becomes of entities that are there already. A merge adds what they lack and keeps what they say',
});

const exampleFiles = [
  { path: 'People/Mira Vale.md', content: '---\nborn: "1187"\nmood: odd\n---\nKnows [[Nobody]].\n' },
];

const shared = { auth: 'bearer', role: PERMISSIONS.create_entities, project: true, tag: 'Imports' } as const;

export const previewImport = contract('POST /api/import/preview', {
  ...shared,
  name: 'previewImport',
  memory: MEMORY.ofProject,
  summary: 'See what an import would make',
  description:
    'Nothing is saved. Each note comes with the entity it would become and a report of what becomes of everything it says.',
  body: closed(sources),
  reply: Type.Object({
    totals: ImportTotals,
    notes: Type.Array(PreviewNote),
    refused: Type.Array(RefusalItem),
    untyped: Type.Array(UntypedNoteItem),
  }),
  errors: [404, 413],
  bodyLimit: 16 * MB,
  example: {
    body: { files: exampleFiles },
    reply: {
      totals: exampleTotals,
      notes: [
        {
          ...exampleNote,
          entity: {
            path: 'Characters/mira_vale/CH_mira_vale.md',
            status: 'draft',
            fields: { birth_year: 1187, mood: 'odd' },
            markdown_body: 'Knows [[Nobody]].\n',
            primary_asset: null,
            validation_errors: [],
            is_valid: true,
          },
        },
      ],
      refused: [],
      untyped: [],
    },
  },
});

const importReply = {
  dry_run: Type.Boolean(),
  totals: ImportTotals,
  notes: Type.Array(ImportNote),
  refused: Type.Array(RefusalItem, {
    description: 'What is not a note, or could not be placed: the first 1,000; `totals` counts all',
  }),
  untyped: Type.Array(UntypedNoteItem),
  operation: Type.Union([Operation, Type.Null()], { description: 'Null where nothing was written' }),
};
const ImportReply = named('ImportReply', importReply);

const ProposedMapping = named('ProposedMapping', {
  question: Type.Union([ShownQuestion, Type.Null()], {
    description: 'What was sent, or with `dry_run` would be; null where nothing was left aside',
  }),
  used: Type.Union([UsedModel, Type.Null()], { description: 'Null where no model was asked' }),
  mapping: Type.Record(Type.String(), NullableText, {
    description: 'Your own and what is proposed: send it as `mapping`, without `ai`, to import like this',
  }),
  proposals: Type.Array(
    Type.Object({
      from: Type.String(),
      to: Type.String(),
      confidence: Type.Number({ minimum: 0, maximum: 1 }),
      origin: oneOf(['mapper', 'model', 'both'] as const),
      reason: Type.String(),
    }),
    { description: 'Of properties that the mapper left aside; `mapper`: its guess of less than 80 %' },
  ),
  problems: Type.Array(Type.String(), { description: 'What the answer could not be used for' }),
});

const SmartImportReply = named('SmartImportReply', {
  ...importReply,
  proposed: Type.Optional(ProposedMapping),
});

const importOperation = {
  ...exampleOperation,
  kind: 'import' as const,
  label: 'Import of 1 entity',
  total: 1,
  applied: 1,
};
const exampleReply = {
  dry_run: false,
  totals: exampleTotals,
  notes: [exampleNote],
  refused: [],
  untyped: [],
  operation: importOperation,
};

export const smartImport = contract('POST /api/import/smart', {
  ...shared,
  name: 'smartImport',
  memory: MEMORY.ofProject,
  summary: 'Import notes, tables or JSON',
  description:
    'Finds type, name, id and fields by folder, name, synonym, type and value; `mapping` and `types` override. A guess that is less than 80 % certain is only proposed in the report. Everything is written as one operation, which `POST /api/operations/{operation_id}/undo` takes back. After a reply of 202 the report is at `GET /api/import/{operation_id}/report`.\n\nWith `ai` a model proposes fields for the properties that were left aside, from their names and the first three values of each; `dry_run` shows the question without sending it. Nothing is written then: the reply is a preview with the proposals in it, and `proposed.mapping` is what the next call sends. 409 if no model is set up.',
  body: closed({
    ...sources,
    mode: Type.Optional(Mode),
    dry_run: Type.Optional(Type.Boolean({ default: false })),
    ...askProperties,
  }),
  reply: SmartImportReply,
  accepted: Operation,
  errors: [402, 404, 409, 413, 503],
  bodyLimit: 16 * MB,
  example: { body: { files: exampleFiles, types: { 'People/Cut': null } }, reply: exampleReply },
});

export const importArchive = contract('POST /api/import/archive', {
  ...shared,
  name: 'importArchive',
  summary: 'Import a zip of notes with their pictures',
  description:
    'As `POST /api/import/smart`. The archive is read in memory and checked as a whole before anything is written.',
  body: closed({
    entity_type: sources.entity_type,
    default_type: sources.default_type,
    types: Type.Optional(JsonText),
    mapping: Type.Optional(JsonText),
    mode: Type.Optional(Mode),
    include_json: Type.Optional(IncludeJson),
    dry_run: Type.Optional(Type.Boolean({ default: false })),
  }),
  files: {
    archive: {
      description: 'A zip of notes, tables, JSON and the files that notes show',
      maxBytes: 128 * MB,
    },
  },
  memory: 0,
  reply: ImportReply,
  accepted: Operation,
  errors: [402, 404, 409, 413],
  example: { body: { mode: 'merge' }, reply: exampleReply },
});

export const importReport = contract('GET /api/import/{operation_id}/report', {
  name: 'importReport',
  auth: 'bearer',
  project: true,
  tag: 'Imports',
  summary: 'What became of everything that an import read',
  description: 'As the import itself answers it, once it is planned. Kept for 30 days.',
  params: Type.Object({ operation_id: Type.String() }),
  reply: ImportReply,
  errors: [404],
  example: { params: { operation_id: importOperation.operation_id }, reply: exampleReply },
});

export const importEntity = contract('POST /api/entity/{type}/import', {
  ...shared,
  name: 'importEntity',
  summary: 'Import an entity from raw markdown',
  description:
    'The text becomes the entity’s file as it stands: comments, order and fields that the template does not know stay, so that an exported file comes back byte for byte. A text without frontmatter gets one. 409 where the entity is there already, unless `mode` says what then: `replace` puts the text in place of the file, `merge` adds what the file lacks. `POST /api/import/smart` maps names to fields.',
  params: Type.Object({ type: Type.String() }),
  body: closed({
    content: Type.String(),
    entity_id: Type.Optional(
      Type.String({ description: 'Else the frontmatter’s `id`, or one made of the name' }),
    ),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'Else the frontmatter’s, or the first heading',
      }),
    ),
    mode: Type.Optional(Type.Enum(['merge', 'replace'])),
  }),
  reply: Type.Object({ entity: Entity, report: ImportNote, operation: Type.Union([Operation, Type.Null()]) }),
  status: 201,
  errors: [402, 404, 409, 413],
  bodyLimit: 10 * MB,
  example: {
    params: { type: 'character' },
    body: { content: '---\nbirth_year: 392\nmood: odd\n---\nKnows [[Nobody]].\n', name: 'Mira Vale' },
    reply: { entity: exampleEntity, report: exampleTextNote, operation: importOperation },
  },
});
