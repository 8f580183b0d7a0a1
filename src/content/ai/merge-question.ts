import { isMap, type JsonMap } from '../../text/json.ts';
import { ENTITY_STATUSES } from '../entity/index.ts';
import type { MergeConflict, Settled } from '../merge/index.ts';
import type { FieldDefinition, TemplateDefinition } from '../template/index.ts';
import { type AnswerSchema, closed, fieldSchema, text } from './answer-schema.ts';
import type { ContextMessage } from './context/types.ts';
import { questionAbout } from './fence.ts';
import { unsafeValue } from './unsafe-value.ts';

/** An overlap that a model is asked about, and the name by which question and answer call it. */
export interface MergePart {
  key: string;
  conflict: MergeConflict;
}

export interface MergeQuestion {
  parts: readonly MergePart[];
  messages: readonly ContextMessage[];
  schema: AnswerSchema;
}

export interface SettledPart extends Settled {
  reason: string;
}

const BODY = 'markdown_body';
const NEVER_ASKED = 'frontmatter_comments';
const MOST_PARTS = 40;
const LONGEST_REASON = 300;

const TASK = [
  'Two people changed the same text. A program has merged what does not overlap. Each part below is a place that both have changed:',
  '`base` is what was there before, `local` and `remote` is what each has made of it. A side that is missing has removed the place.',
  'Propose for each part one value that keeps what both of them meant. Keep their language and style. Invent nothing.',
  'Answer null as the value of a part that nobody but the authors can decide. Give the reason for each value in one sentence.',
].join('\n');

const isRemovable = ({ field, local, remote }: MergeConflict): boolean =>
  field !== BODY && (local === undefined || remote === undefined);

function innerField(field: FieldDefinition, path: readonly string[]): AnswerSchema {
  // The items of a list are named before their keys.
  const [name, ...rest] = field.type === 'array' ? path.slice(1) : path;
  if (name === undefined) return path.length === 0 ? fieldSchema(field) : {};
  const inner = field.properties?.find((property) => property.name === name);
  return inner === undefined ? {} : innerField(inner, rest);
}

/** Of a place's value; a place that the template does not know takes any. */
function valueSchema(template: TemplateDefinition, { field }: MergeConflict): AnswerSchema {
  if (field === BODY || field === 'name') return { anyOf: [text(), { type: 'null' }] };
  if (field === 'status') return { enum: [...ENTITY_STATUSES, null] };
  const [top = '', ...path] = field.split('.');
  const found = template.fields.find(({ name }) => name === top);
  return found === undefined ? {} : innerField(found, path);
}

const partSchema = (template: TemplateDefinition, conflict: MergeConflict): AnswerSchema =>
  closed({
    value: valueSchema(template, conflict),
    ...(isRemovable(conflict) && {
      remove: { type: 'boolean', description: 'True: the place stays removed' },
    }),
    reason: { type: 'string', maxLength: LONGEST_REASON },
  });

/**
 * Asks for the overlaps alone: both sides and what they were made from. Null if none can be asked about. Those beyond the number of
 * characters stay open.
 */
export function mergeQuestion(
  template: TemplateDefinition,
  conflicts: readonly MergeConflict[],
  mostCharacters: number,
): MergeQuestion | null {
  const parts: MergePart[] = [];
  let characters = 0;
  for (const conflict of conflicts) {
    characters += JSON.stringify(conflict).length;
    if (characters > mostCharacters || parts.length === MOST_PARTS) break;
    if (conflict.field !== NEVER_ASKED) parts.push({ key: `part_${parts.length + 1}`, conflict });
  }
  if (parts.length === 0) return null;
  const data = JSON.stringify(
    {
      entity_type: template.entity_type,
      parts: Object.fromEntries(parts.map(({ key, conflict: { line: _, ...sides } }) => [key, sides])),
    },
    null,
    2,
  );
  return {
    parts,
    messages: questionAbout('overlaps', data, TASK),
    schema: closed(
      Object.fromEntries(parts.map(({ key, conflict }) => [key, partSchema(template, conflict)])),
    ),
  };
}

/** Why parts of an answer cannot be written to a file. */
export const mergeProblems = ({ parts }: MergeQuestion, answer: JsonMap): string[] =>
  parts.flatMap(({ key }) => {
    const unsafe = unsafeValue(answer[key]);
    return unsafe === null ? [] : [`${key}: ${unsafe}`];
  });

/** The parts that an answer decides. Those without a value, and those that no file can hold, stay open. */
export function settledParts({ parts }: MergeQuestion, answer: JsonMap): SettledPart[] {
  return parts.flatMap(({ key, conflict }): SettledPart[] => {
    const part = answer[key];
    if (!isMap(part) || unsafeValue(part) !== null) return [];
    const reason = String(part.reason);
    if (part.remove === true && isRemovable(conflict)) return [{ conflict, reason }];
    return part.value === null || part.value === undefined ? [] : [{ conflict, value: part.value, reason }];
  });
}
