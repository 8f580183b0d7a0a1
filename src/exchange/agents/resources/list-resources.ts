import {
  ErrorCode,
  type ListResourcesResult,
  McpError,
  type Resource,
} from '@modelcontextprotocol/sdk/types.js';
import { HttpError } from '../../../kit/errors.ts';
import { listRuleFiles } from '../../../world/definitions/rules/rules.contract.ts';
import { listEntityTypes } from '../../../world/definitions/templates/templates.contract.ts';
import { getGraph } from '../../../world/references/references.contract.ts';
import type { Agent } from '../agent.ts';
import { addressText, MARKDOWN } from './resource-address.ts';

const PAGE = 200;
/** The page after templates and rules; later ones begin after an entity. */
const FIRST_ENTITIES = 'entities';

/** Templates and rules on the first page, then entities by type and id. */
export async function listResources(agent: Agent, cursor: string | undefined): Promise<ListResourcesResult> {
  if (cursor === undefined)
    return { resources: await definitionResources(agent), nextCursor: FIRST_ENTITIES };
  const after = cursor === FIRST_ENTITIES ? {} : { cursor };
  const { nodes, next_cursor } = await agent
    .ask(getGraph, { query: { limit: PAGE, ...after } })
    .catch((error: unknown) => {
      if (error instanceof HttpError && error.status === 422)
        throw new McpError(ErrorCode.InvalidParams, 'The cursor is none of an earlier page');
      throw error;
    });
  const resources = nodes.map(({ entity_type, entity_id, name }): Resource => {
    const uri = addressText({ kind: 'entity', parts: [entity_type, entity_id] });
    return { uri, name: `${entity_type}/${entity_id}`, title: name, mimeType: MARKDOWN };
  });
  return { resources, ...(next_cursor !== null && { nextCursor: next_cursor }) };
}

async function definitionResources(agent: Agent): Promise<Resource[]> {
  const { entity_types } = await agent.ask(listEntityTypes);
  const { files } = await agent.ask(listRuleFiles);
  return [
    ...entity_types.map(({ entity_type, label, description }) => ({
      uri: addressText({ kind: 'template', parts: [entity_type] }),
      name: `template/${entity_type}`,
      title: `Template: ${label}`,
      description,
      mimeType: MARKDOWN,
    })),
    ...files.map(({ key, name }) => ({
      uri: addressText({ kind: 'rules', parts: [key] }),
      name: `rules/${key}`,
      title: `Rules: ${name}`,
      mimeType: MARKDOWN,
    })),
  ];
}
