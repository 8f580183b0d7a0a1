import { Type } from 'typebox';
import { closed } from '../../../kit/schemas.ts';
import type { Canon } from '../../canon/index.ts';
import type { Entities } from '../../entities/index.ts';
import { createLineReader, keyOf } from '../entity-lines.ts';
import { entityId, entityType } from './inputs.ts';
import { defineTool, ToolError } from './tool.ts';

const FINDINGS = 10;

/** Contradictions in story time: of one entity, or of the world. */
export const canonTool = (entities: Pick<Entities, 'findRow'>, canon: Canon) =>
  defineTool({
    name: 'canon',
    description:
      'Contradictions in story time, such as somebody who acts after their death: of one entity, or of the whole world.',
    input: closed({ entity_type: Type.Optional(entityType), entity_id: Type.Optional(entityId) }),
    async run({ entity_type, entity_id }, { project, sheet }) {
      if ((entity_type === undefined) !== (entity_id === undefined))
        throw new ToolError('give both entity_type and entity_id, or neither');
      const entity = entity_type === undefined ? undefined : `${entity_type}/${entity_id}`;
      const query = { entity, accepted: false, limit: FINDINGS, offset: 0 };
      const last = await canon.findings(project, query);
      const isCurrent = last.status === 'done' && !last.stale;
      if (!isCurrent) await canon.check(project, { wait: true, limit: 0 });
      const { findings, total } = isCurrent ? last : await canon.findings(project, query);
      sheet.say(`${total} contradictions.`);
      const read = createLineReader(entities, project);
      for (const { severity, message, evidence } of findings) {
        if (!sheet.data(`${severity}: ${message}`)) return;
        for (const side of evidence) {
          sheet.data(`${keyOf(side)} ${side.field}`);
          if (side.line !== null) sheet.lines(await read(side), side.line, side.line);
        }
      }
    },
  });
