import { Type } from 'typebox';
import { closed, oneOf } from '../../../kit/schemas.ts';
import type { Entities } from '../../entities/index.ts';
import type { References } from '../../references/index.ts';
import { createLineReader, keyOf } from '../entity-lines.ts';
import { entityId, entityType } from './inputs.ts';
import { defineTool } from './tool.ts';

const EDGES = 20;

export const referencesTool = (entities: Pick<Entities, 'findRow'>, references: References) =>
  defineTool({
    name: 'references',
    description: 'What refers to an entity (in), or what it refers to (out), with the lines that do.',
    input: closed({
      entity_type: entityType,
      entity_id: entityId,
      direction: Type.Optional(oneOf(['in', 'out'] as const)),
    }),
    async run({ direction = 'in', ...name }, { project, sheet }) {
      const { items, total } = await references.ofEntity(project, name, {
        direction,
        after: null,
        limit: EDGES,
      });
      sheet.say(
        total > items.length ? `${total} references; the first ${items.length}:` : `${total} references.`,
      );
      const read = createLineReader(entities, project);
      for (const edge of await references.withLines(project, items)) {
        const to = edge.to ? keyOf(edge.to) : `${edge.to_type ?? '?'}/${edge.to_id} (${edge.state})`;
        if (!sheet.data(`${keyOf(edge)} ${JSON.stringify(edge.name)} refers to ${to} in ${edge.field}`))
          return;
        if (edge.line !== null) sheet.lines(await read(edge), edge.line, edge.line);
      }
    },
  });
