import { Type } from 'typebox';
import { HttpError } from '../../../kit/errors.ts';
import { closed } from '../../../kit/schemas.ts';
import { cutAfter } from '../../../text/cut.ts';
import { getRules } from '../../../world/definitions/rules/rules.contract.ts';
import { getEntitySchema } from '../../../world/definitions/templates/schemas.contract.ts';
import { getInstructions, listEntityTypes } from '../../../world/definitions/templates/templates.contract.ts';
import type { Agent } from '../agent.ts';
import { answerOf, fitting, textPage } from './answers.ts';
import { EntityType, Offset } from './arguments.ts';
import { defineTool } from './tool.ts';

const MOST_DESCRIPTION = 300;

export const listTypesTool = defineTool({
  name: 'list_types',
  title: 'List entity types',
  description: 'The types of entities that this world has, such as characters, places and quests.',
  role: 'viewer',
  effect: 'reads',
  input: closed({}),
  async run(_input, agent) {
    const { entity_types } = await agent.ask(listEntityTypes);
    const types = entity_types.map(({ entity_type, label, description, template_category }) => ({
      entity_type,
      label,
      description: cutAfter(description, MOST_DESCRIPTION),
      category: template_category,
    }));
    return answerOf({ types: fitting(types) });
  },
});

export const describeTypeTool = defineTool({
  name: 'describe_type',
  title: 'Describe an entity type',
  description:
    'What an entity of a type looks like: the JSON Schema of its fields, what the template asks of writers, the sections of its text, and the rules that entities must hold. Ask it before create_draft.',
  role: 'viewer',
  effect: 'reads',
  input: closed({ entity_type: EntityType, offset: Type.Optional(Offset) }),
  async run({ entity_type, offset = 0 }, agent) {
    const schema = await agent.ask(getEntitySchema, { params: { type: entity_type } });
    const { instructions, sections } = await agent.ask(getInstructions, { params: { name: entity_type } });
    const data = {
      entity_type,
      schema,
      instructions,
      sections: sections.map(({ heading, level, placeholders }) => ({ heading, level, placeholders })),
      rules: await rulesOf(agent, entity_type),
    };
    const { text, next_offset } = textPage(JSON.stringify(data, null, 1), offset);
    if (next_offset === null && offset === 0) return answerOf(data);
    return { texts: [JSON.stringify({ entity_type, next_offset }), text] };
  },
});

/** Rules in force; a type need not have a rule file. */
async function rulesOf(agent: Agent, type: string) {
  try {
    const { rules } = await agent.ask(getRules, { params: { type } });
    return rules
      .filter(({ enabled }) => enabled)
      .map(({ id, severity, description }) => ({ id, severity, description }));
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return [];
    throw error;
  }
}
