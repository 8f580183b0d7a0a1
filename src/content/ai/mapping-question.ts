import { cutAfter } from '../../text/cut.ts';
import { isMap, type JsonMap } from '../../text/json.ts';
import type { AsideColumn } from '../import/index.ts';
import type { FieldDefinition, TemplateDefinition } from '../template/index.ts';
import { type AnswerSchema, closed } from './answer-schema.ts';
import type { ContextMessage } from './context/types.ts';
import { questionAbout } from './fence.ts';

/** A column that a model is asked about, the name by which question and answer call it, and what it may become. */
interface AskedColumn {
  key: string;
  column: AsideColumn;
  targets: readonly string[];
}

export interface MappingQuestion {
  columns: readonly AskedColumn[];
  messages: readonly ContextMessage[];
  schema: AnswerSchema;
}

export interface MappingProposal {
  from: string;
  to: string;
  /** 0 to 1. */
  confidence: number;
  /** `both`: the mapper had the same guess, but was not sure. */
  origin: 'mapper' | 'model' | 'both';
  reason: string;
}

const MOST_COLUMNS = 60;
const MOST_OPTIONS = 20;
const LONGEST_HELP = 120;
const LONGEST_REASON = 300;
const ATTRIBUTES = ['name', 'status', 'markdown_body'];

const TASK = [
  'Content of another program is imported. A program has mapped the properties that it is sure of. Say for each property below which field',
  'of its type it belongs to. `values` are the first values of the property. Besides the fields there are `name` (what the thing is called),',
  '`status` (active, archived or draft) and `markdown_body` (a long text about it).',
  'Answer null where no field means the same: the property is then kept under its own name. Two properties never belong to one field.',
  '`confidence` is from 0 to 1. Give the reason in one sentence.',
].join('\n');

const shownField = ({ name, label, type, description, options, reference_type }: FieldDefinition) => ({
  name,
  label,
  type,
  ...(description !== undefined && { description: cutAfter(description, LONGEST_HELP) }),
  ...(options !== undefined && { options: options.slice(0, MOST_OPTIONS).map(({ value }) => value) }),
  ...(reference_type !== undefined && { refers_to: reference_type }),
});

/** Asks which fields the columns mean, from their names, their types and a few values. Null if there are none. */
export function mappingQuestion(
  templates: ReadonlyMap<string, TemplateDefinition>,
  columns: readonly AsideColumn[],
): MappingQuestion | null {
  const asked = columns.slice(0, MOST_COLUMNS).map((column, index): AskedColumn => {
    const fields = column.types.flatMap((type) => templates.get(type)?.fields ?? []);
    const targets = [...new Set([...fields.map(({ name }) => name), ...ATTRIBUTES])];
    return { key: `column_${index + 1}`, column, targets };
  });
  if (asked.length === 0) return null;
  const types = [...new Set(asked.flatMap(({ column }) => column.types))].sort();
  const data = JSON.stringify(
    {
      fields: Object.fromEntries(types.map((type) => [type, templates.get(type)?.fields.map(shownField)])),
      properties: Object.fromEntries(
        asked.map(({ key, column: { from, types: of, values, guess } }) => [
          key,
          { name: from, types: of, values, ...(guess && { guess: guess.to }) },
        ]),
      ),
    },
    null,
    1,
  );
  return {
    columns: asked,
    messages: questionAbout('import', data, TASK),
    schema: closed(
      Object.fromEntries(
        asked.map(({ key, targets }) => [
          key,
          closed({
            to: { enum: [...targets, null] },
            confidence: { type: 'number', minimum: 0, maximum: 1 },
            reason: { type: 'string', maxLength: LONGEST_REASON },
          }),
        ]),
      ),
    ),
  };
}

/** The model's word before the mapper's guess. Of two columns for one field of a type, the more certain one. */
export function mappingProposals({ columns }: MappingQuestion, answer: JsonMap | null): MappingProposal[] {
  const found = columns.flatMap(({ key, column }) => {
    const proposal = proposalOf(column, answer?.[key]);
    return proposal === null ? [] : [{ column, proposal }];
  });
  const taken = new Set<string>();
  return found
    .toSorted((one, other) => other.proposal.confidence - one.proposal.confidence)
    .flatMap(({ column, proposal }) => {
      const places = column.types.map((type) => `${type}.${proposal.to}`);
      if (places.some((place) => taken.has(place))) return [];
      for (const place of places) taken.add(place);
      return [proposal];
    });
}

function proposalOf({ from, guess }: AsideColumn, given: unknown): MappingProposal | null {
  if (isMap(given)) {
    if (typeof given.to !== 'string') return null;
    const origin = given.to === guess?.to ? 'both' : 'model';
    return { from, to: given.to, confidence: Number(given.confidence), origin, reason: String(given.reason) };
  }
  return guess === null ? null : { from, ...guess, origin: 'mapper' };
}
