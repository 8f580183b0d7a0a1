import { Type } from 'typebox';
import { closed } from '../../../kit/schemas.ts';
import type { EntityName } from '../../records/index.ts';
import { LIMITS } from '../limits.ts';
import type { ShownLines } from '../shown-lines.ts';
import { entityId, entityType } from './inputs.ts';
import { defineTool, ToolError, type ToolUse } from './tool.ts';

export interface WantedChange extends EntityName {
  base_version: number | null;
  fields: Record<string, unknown>;
  markdown_body: string | null;
}

export interface ProposeUse extends ToolUse {
  /** Those of this answer. */
  proposals: readonly EntityName[];
  /** Stores a proposal and resolves to its id. */
  propose(change: WantedChange): Promise<string>;
}

const Input = closed({
  entity_type: entityType,
  entity_id: entityId,
  is_new: Type.Optional(Type.Boolean({ description: 'True proposes a new entity with this id' })),
  fields: Type.Optional(
    Type.Record(Type.String({ maxLength: 200 }), Type.Unknown(), {
      description: 'New values by field; name and status too. Null clears a field',
    }),
  ),
  markdown_body: Type.Optional(
    Type.String({ maxLength: 100_000, description: 'The whole text after the frontmatter, as it is to be' }),
  ),
});

/** Nothing is changed: a person decides about each proposal. */
export const proposeTool = () =>
  defineTool<typeof Input, ProposeUse>({
    name: 'propose',
    description:
      'Proposes a change of an entity, or a new one, for a person to accept or reject. Use it only if the person who asks wants a change. Read the entity first.',
    input: Input,
    async run({ entity_type, entity_id, is_new = false, fields = {}, markdown_body = null }, use) {
      const name = { entity_type, entity_id };
      if (use.proposals.length >= LIMITS.proposals)
        throw new ToolError(`an answer makes at most ${LIMITS.proposals} proposals`);
      if (Object.keys(fields).length === 0 && markdown_body === null)
        throw new ToolError('give fields, markdown_body or both');
      const base_version = is_new ? null : baseOf(name, markdown_body, use.shown);
      const proposalId = await use.propose({ ...name, base_version, fields, markdown_body });
      use.sheet.say(`Proposed as ${proposalId}: a person decides about it. Nothing has been changed.`);
    },
  });

/** The version that was read. A text that was not read is not replaced. */
function baseOf(name: EntityName, body: string | null, shown: ShownLines): number {
  const read = shown.read(name);
  if (read === undefined) throw new ToolError('read the entity first');
  if (body !== null && !read.isWhole)
    throw new ToolError('read the whole file before you replace its markdown_body');
  return read.version;
}
