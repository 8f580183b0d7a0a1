import type { Prompt } from '@modelcontextprotocol/sdk/types.js';
import { cutAfter } from '../../../text/cut.ts';
import { getInstructions, listEntityTypes } from '../../../world/definitions/templates/templates.contract.ts';
import type { Agent } from '../agent.ts';

const PREFIX = 'write_';
const ARGUMENTS = [
  { name: 'request', description: 'What to write, in a sentence or two', required: true },
  { name: 'entity_id', description: 'An entity to change; a new one by default' },
];
const MOST_CHARACTERS = 20_000;

/** The type that a prompt of this name writes; null for other prompts. */
export const typeOfPrompt = (name: string): string | null =>
  name.startsWith(PREFIX) ? name.slice(PREFIX.length) : null;

/** One prompt for each type, made of what its template tells writers. */
export async function listTemplatePrompts(agent: Agent): Promise<Prompt[]> {
  const { entity_types } = await agent.ask(listEntityTypes);
  return entity_types.map(({ entity_type, label }) => ({
    name: `${PREFIX}${entity_type}`,
    title: `Write: ${label}`,
    description: `Write or change a ${label.toLowerCase()} as this world's template asks`,
    arguments: ARGUMENTS,
  }));
}

/** The text before the request; null for a name that is not of this kind. 404 for an unknown type. */
export async function templatePromptText(
  agent: Agent,
  name: string,
  entityId: string | undefined,
): Promise<string | null> {
  const type = typeOfPrompt(name);
  if (type === null) return null;
  const { instructions } = await agent.ask(getInstructions, { params: { name: type } });
  const task =
    entityId === undefined
      ? `Write a new ${type} for this world and propose it with create_draft.`
      : `Change ${type}/${entityId}: read it with read_entity and propose the change with propose_change.`;
  return [
    task,
    `Ask describe_type for ${type} first, and search for what it may refer to.`,
    ...(instructions === '' ? [] : [`What the template asks:\n${cutAfter(instructions, MOST_CHARACTERS)}`]),
  ].join('\n\n');
}
