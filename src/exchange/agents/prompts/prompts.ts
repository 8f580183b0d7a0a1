import {
  ErrorCode,
  type GetPromptResult,
  type ListPromptsResult,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { getInstructions, listEntityTypes } from '../../../world/definitions/templates/templates.contract.ts';
import type { Agent } from '../agent.ts';

const PREFIX = 'write_';
const ARGUMENTS = [
  { name: 'request', description: 'What to write, in a sentence or two', required: true },
  { name: 'entity_id', description: 'An entity to change; a new one by default' },
];
const MOST_CHARACTERS = 20_000;

/** One prompt for each type, made of what its template tells writers. */
export async function listPrompts(agent: Agent): Promise<ListPromptsResult> {
  const { entity_types } = await agent.ask(listEntityTypes);
  const prompts = entity_types.map(({ entity_type, label }) => ({
    name: `${PREFIX}${entity_type}`,
    title: `Write: ${label}`,
    description: `Write or change a ${label.toLowerCase()} as this world's template asks`,
    arguments: ARGUMENTS,
  }));
  return { prompts };
}

export async function getPrompt(
  agent: Agent,
  name: string,
  given: Readonly<Record<string, string>>,
): Promise<GetPromptResult> {
  const type = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : '';
  const { request, entity_id } = given;
  if (type === '') throw new McpError(ErrorCode.InvalidParams, `There is no prompt '${name}'`);
  if (request === undefined)
    throw new McpError(ErrorCode.InvalidParams, `The prompt '${name}' needs the argument 'request'`);
  const { instructions } = await agent.ask(getInstructions, { params: { name: type } });
  const task =
    entity_id === undefined
      ? `Write a new ${type} for this world and propose it with create_draft.`
      : `Change ${type}/${entity_id}: read it with read_entity and propose the change with propose_change.`;
  const text = [
    task,
    `Ask describe_type for ${type} first, and search for what it may refer to.`,
    ...(instructions === '' ? [] : [`What the template asks:\n${instructions.slice(0, MOST_CHARACTERS)}`]),
    `The request:\n${request.slice(0, MOST_CHARACTERS)}`,
  ].join('\n\n');
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}
