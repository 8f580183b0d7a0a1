import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/sdk/types.js';
import { listEntityTypes } from '../../../world/definitions/templates/templates.contract.ts';
import { listEntities } from '../../../world/entities/entities.contract.ts';
import type { Agent } from '../agent.ts';
import { typeOfPrompt } from './template-prompts.ts';

const MOST = 50;

/** Values that an argument of a resource's address or of a prompt may have, as far as it is typed. */
export async function completionsFor(
  agent: Agent,
  { ref, argument, context }: CompleteRequest['params'],
): Promise<CompleteResult> {
  const { name, value } = argument;
  if (name === 'type') return completed(await typesLike(agent, value));
  const type = ref.type === 'ref/prompt' ? typeOfPrompt(ref.name) : context?.arguments?.type;
  const isId = name === 'id' || name === 'entity_id';
  return completed(isId && type ? await idsLike(agent, type, value) : []);
}

const completed = (values: readonly string[]): CompleteResult => ({
  completion: { values: values.slice(0, MOST), hasMore: values.length > MOST },
});

async function typesLike(agent: Agent, value: string): Promise<string[]> {
  const { entity_types } = await agent.ask(listEntityTypes);
  return entity_types.map(({ entity_type }) => entity_type).filter((type) => type.startsWith(value));
}

async function idsLike(agent: Agent, type: string, value: string): Promise<string[]> {
  const words = value.replaceAll('_', ' ').trim();
  const { entities } = await agent.ask(listEntities, {
    params: { type },
    query: { limit: MOST + 1, ...(words !== '' && { search: words.slice(0, 400) }) },
  });
  return entities.map(({ entity_id }) => entity_id).filter((id) => id.includes(value));
}
