import type { FieldDefinition } from '../../template/index.ts';
import { answerSchema } from '../answer-schema.ts';
import type { Fence } from '../fence.ts';
import type { Target } from '../target.ts';
import { refOf } from './entity-text.ts';
import type { ContextInput } from './types.ts';

type Expand = (text: string) => string;

/** States the wanted parts, the caller's own words, and the shape of the answer. */
export function requestText(input: ContextInput, fence: Fence, expand: Expand): string {
  const { target, entity, template, instruction } = input;
  const subject =
    entity === null
      ? `Propose a new ${template.label} (entity type ${template.entity_type}).`
      : `Write for ${refOf(entity)}.`;
  return [
    subject,
    ...wantedLines(target, fence, expand),
    ...earlierLines(input),
    ...(instruction === null
      ? []
      : ['', 'The request, in the words of the person who asks:', expand(instruction)]),
    '',
    'Answer with one JSON object that fits this JSON Schema, and with nothing else. Null means that you propose nothing for a field.',
    JSON.stringify(answerSchema(target)),
  ].join('\n');
}

function wantedLines({ name, fields, body, passages }: Target, fence: Fence, expand: Expand): string[] {
  return [
    ...(name ? ['Give it a name.'] : []),
    ...(fields.length > 0 ? ['Fields to write:', ...fields.map((field) => fieldLine(field, expand))] : []),
    ...(body ? ['Write the whole body (`markdown_body`), with the headings that the type wants.'] : []),
    ...passages.flatMap(({ key, kind, text }) => [
      kind === 'placeholder'
        ? `Passage ${key} is an instruction in the body: write the text that replaces it.`
        : `Passage ${key} is a piece of the body: write the text that replaces it.`,
      fence.block(key, text),
    ]),
  ];
}

/** The schema has types and options; this adds what the author of the template says. */
function fieldLine(
  { name, label, description, placeholder, required }: FieldDefinition,
  expand: Expand,
): string {
  const help = [description, placeholder].filter((text) => text !== undefined && text !== label).join(' ');
  return `- ${name}${required ? ' (required)' : ''}${help === '' ? '' : `: ${expand(help)}`}`;
}

function earlierLines({ answers }: ContextInput): string[] {
  if (answers.length === 0) return [];
  return answers.length === 1
    ? ['An earlier answer is above: change it as the request says, and keep the rest of it.']
    : ['Several answers to this are above: make one of them, from what is best in each.'];
}
