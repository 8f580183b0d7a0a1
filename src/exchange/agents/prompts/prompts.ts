import {
  ErrorCode,
  type GetPromptResult,
  type ListPromptsResult,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { cutAfter } from '../../../text/cut.ts';
import type { Agent } from '../agent.ts';
import { listSkillPrompts, skillPromptText } from './skill-prompts.ts';
import { listTemplatePrompts, templatePromptText } from './template-prompts.ts';

const MOST_REQUEST = 20_000;

/** A prompt for each template, and for each skill that the caller may use. */
export async function listPrompts(agent: Agent): Promise<ListPromptsResult> {
  const [templates, skills] = await Promise.all([listTemplatePrompts(agent), listSkillPrompts(agent)]);
  return { prompts: [...templates, ...skills] };
}

export async function getPrompt(
  agent: Agent,
  name: string,
  { request, entity_id }: Readonly<Record<string, string>>,
): Promise<GetPromptResult> {
  const asked = (await templatePromptText(agent, name, entity_id)) ?? (await skillPromptText(agent, name));
  if (asked === null) throw new McpError(ErrorCode.InvalidParams, `There is no prompt '${name}'`);
  if (request === undefined)
    throw new McpError(ErrorCode.InvalidParams, `The prompt '${name}' needs the argument 'request'`);
  const text = `${asked}\n\nThe request:\n${cutAfter(request, MOST_REQUEST)}`;
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}
