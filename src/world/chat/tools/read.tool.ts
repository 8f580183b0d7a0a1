import { Type } from 'typebox';
import type { FieldDefinition, TemplateDefinition } from '../../../content/template/index.ts';
import { closed } from '../../../kit/schemas.ts';
import type { Entities } from '../../entities/index.ts';
import { readLines } from '../entity-lines.ts';
import { type Sheet, titleOf } from '../sheet.ts';
import { entityId, entityType } from './inputs.ts';
import { defineTool, ToolError } from './tool.ts';

export const readTool = (entities: Pick<Entities, 'findRow' | 'templateOf'>) =>
  defineTool({
    name: 'read',
    description:
      "Reads an entity's file with line numbers. Without entity_id: the fields that entities of the type have.",
    input: closed({
      entity_type: entityType,
      entity_id: Type.Optional(entityId),
      from_line: Type.Optional(Type.Integer({ minimum: 1, description: '1 unless given' })),
    }),
    async run({ entity_type, entity_id, from_line = 1 }, { project, sheet }) {
      if (entity_id === undefined) return describe(await entities.templateOf(project, entity_type), sheet);
      const entity = await readLines(entities, project, { entity_type, entity_id });
      if (from_line > entity.lines.length)
        throw new ToolError(`from_line must be at most ${entity.lines.length}`);
      sheet.data(titleOf(entity));
      const next = sheet.lines(entity, from_line, entity.lines.length);
      if (next !== null) sheet.say(`It goes on: read it with from_line ${next}.`);
    },
  });

function describe(
  { entity_type, fields, generation_instructions: instructions }: TemplateDefinition,
  sheet: Sheet,
) {
  sheet.data(`${entity_type} has name, status, markdown_body and these fields:`);
  for (const field of fields) if (!sheet.data(lineOf(field))) return;
  for (const line of instructions.split('\n')) if (line.trim() !== '') sheet.data(line);
}

function lineOf({
  name,
  type,
  required,
  description,
  placeholder,
  options,
  reference_type,
}: FieldDefinition): string {
  const parts = [
    `${name}: ${type}${required ? ', required' : ''}`,
    reference_type && `the id of a ${reference_type}`,
    description ?? placeholder,
    options && `one of ${options.map(({ value }) => value).join(', ')}`,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join('; ');
}
