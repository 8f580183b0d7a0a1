import { Type } from 'typebox';
import { closed } from '../../../kit/schemas.ts';
import { getGraph, listReferences } from '../../../world/references/references.contract.ts';
import { answerOf } from './answers.ts';
import { Cursor, EntityId, EntityType, limitOf, listed, requireBothOrNeither, Types } from './arguments.ts';
import { defineTool } from './tool.ts';

const USUAL_REFERENCES = 30;
const USUAL_NODES = 50;

export const referencesTool = defineTool({
  name: 'references',
  title: 'References of an entity',
  description:
    'What an entity refers to (`out`), or who refers to it (`in`), by its fields and by links in its text.',
  role: 'viewer',
  effect: 'reads',
  input: closed({
    entity_type: EntityType,
    entity_id: EntityId,
    direction: Type.Optional(Type.Enum(['out', 'in'], { description: '`out` by default' })),
    limit: Type.Optional(limitOf(100, USUAL_REFERENCES)),
    cursor: Type.Optional(Cursor),
  }),
  async run({ entity_type, entity_id, direction = 'out', limit = USUAL_REFERENCES, cursor }, agent) {
    const { total, references, next_cursor } = await agent.ask(listReferences, {
      params: { type: entity_type, id: entity_id },
      query: { direction, limit, ...(cursor !== undefined && { cursor }) },
    });
    const shown = references.map(({ field, kind, from, to, to_type, to_id, state }) => ({
      field,
      kind,
      state,
      ...(direction === 'in' ? { from } : { to: to ?? { entity_type: to_type, entity_id: to_id } }),
    }));
    return answerOf({ direction, total, references: shown, next_cursor });
  },
});

export const graphTool = defineTool({
  name: 'graph',
  title: 'Graph of references',
  description:
    'Entities and the references between them: around one entity, up to `depth` steps away, or page by page of the whole world. Edges are `[from, to, field]`.',
  role: 'viewer',
  effect: 'reads',
  input: closed({
    entity_type: Type.Optional(EntityType),
    entity_id: Type.Optional(EntityId),
    depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 5, description: '1 by default' })),
    types: Type.Optional(Types),
    limit: Type.Optional(limitOf(200, USUAL_NODES)),
    cursor: Type.Optional(Cursor),
  }),
  async run({ entity_type, entity_id, depth, types, limit = USUAL_NODES, cursor }, agent) {
    requireBothOrNeither(entity_type, entity_id);
    const { nodes, edges, truncated, next_cursor } = await agent.ask(getGraph, {
      query: {
        ...(entity_type !== undefined && { around: `${entity_type}:${entity_id}` }),
        ...(depth !== undefined && { depth }),
        ...listed(types),
        limit,
        ...(cursor !== undefined && { cursor }),
      },
    });
    const most = 5 * limit;
    const shown = edges.slice(0, most).map(({ from, to, field }) => [from, to, field]);
    return answerOf({ nodes, edges: shown, truncated: truncated || edges.length > most, next_cursor });
  },
});
