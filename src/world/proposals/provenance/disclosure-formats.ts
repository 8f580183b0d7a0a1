import { csvCell } from '../../../kit/http/csv.ts';
import type { DisclosedEntity } from './disclosure.service.ts';
import { rounded } from './provenance.service.ts';

export type DisclosureFormat = 'md' | 'json' | 'csv';

export const DISCLOSURE_TYPES: Readonly<Record<DisclosureFormat, string>> = {
  md: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** In the words that stores use: what was made beforehand, and what is made while people play. */
const STATEMENT =
  'Some text of this project was generated with the help of AI tools while it was made (pre-generated content). A person accepted each of these texts, and many were changed since. Nothing is generated while the product runs (no live-generated content) by this service.';
const NONE = 'No text of this project is known to have been generated with AI tools.';
const COUNTING =
  'Counted in words that are in the project now. “Changed” is the share of what was accepted that people have changed or removed since. Text that was pasted from elsewhere is not known here.';

type Entities = AsyncIterable<DisclosedEntity>;

interface Totals {
  entities: number;
  fields: number;
  generated_words: number;
  models: Set<string>;
}

const noTotals = (): Totals => ({ entities: 0, fields: 0, generated_words: 0, models: new Set() });

function count(totals: Totals, { fields }: DisclosedEntity): void {
  totals.entities += 1;
  totals.fields += fields.length;
  for (const { generated_words, models } of fields) {
    totals.generated_words += generated_words;
    for (const model of models) totals.models.add(model);
  }
}

/** Each piece is whole lines, or a whole entity. */
export const WRITERS: Readonly<Record<DisclosureFormat, (entities: Entities) => AsyncGenerator<string>>> = {
  md: markdown,
  json,
  csv,
};

async function* markdown(entities: Entities): AsyncGenerator<string> {
  yield '# Use of AI tools\n\n';
  const totals = noTotals();
  for await (const entity of entities) {
    if (totals.entities === 0)
      yield `${STATEMENT}\n\n${COUNTING}\n\n| type | entity | part | words | generated | changed | models |\n|---|---|---|---:|---:|---:|---|\n`;
    count(totals, entity);
    for (const field of entity.fields) {
      const cells = [
        entity.entity_type,
        `${entity.name} (${entity.entity_id})`,
        field.field,
        field.words,
        percent(field.generated_share),
        percent(field.changed_share),
        field.models.join(', '),
      ];
      yield `| ${cells.map((cell) => plain(String(cell))).join(' | ')} |\n`;
    }
  }
  if (totals.entities === 0) return void (yield `${NONE}\n\n${COUNTING}\n`);
  const models = [...totals.models].sort().map(plain).join(', ');
  yield `\n${totals.generated_words} generated words in ${totals.fields} parts of ${totals.entities} entities. Models: ${models}.\n`;
}

/** One line of a table, without anything that markdown would take for more than text. */
const plain = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>|#]/g, (mark) => `\\${mark}`);

const percent = (share: number): string => `${rounded(share * 100)} %`;

async function* json(entities: Entities): AsyncGenerator<string> {
  yield `{"counting":${JSON.stringify(COUNTING)},"entities":[`;
  const totals = noTotals();
  for await (const entity of entities) {
    yield `${totals.entities === 0 ? '' : ','}${JSON.stringify(entity)}`;
    count(totals, entity);
  }
  const { models, ...counts } = totals;
  const end = {
    pre_generated: counts.entities > 0,
    live_generated: false,
    statement: counts.entities > 0 ? STATEMENT : NONE,
    models: [...models].sort(),
    totals: counts,
  };
  yield `],${JSON.stringify(end).slice(1)}`;
}

const COLUMNS = [
  'entity_type',
  'entity_id',
  'name',
  'part',
  'words',
  'generated_words',
  'generated_share',
  'changed_share',
  'models',
  'last_accepted_at',
];

async function* csv(entities: Entities): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for await (const { entity_type, entity_id, name, fields } of entities)
    for (const field of fields) {
      const cells = [
        ...[entity_type, entity_id, name, field.field],
        ...[field.words, field.generated_words, field.generated_share, field.changed_share],
        ...[field.models.join('; '), field.last_accepted_at],
      ];
      yield `${cells.map(csvCell).join(',')}\r\n`;
    }
}
