import { Type } from 'typebox';
import { PERMISSIONS } from '../../../access/plans.ts';
import { closed } from '../../../kit/schemas.ts';
import { listEntities } from '../../../world/entities/entities.contract.ts';
import { previewImport } from '../../../world/imports/imports.contract.ts';
import { exportMarkdown } from '../../../world/mirror/markdown.contract.ts';
import type { Agent } from '../agent.ts';
import { answerOf, fitting, nextOffset, shortened, textPage } from './answers.ts';
import { EntityId, EntityType, limitOf, Offset } from './arguments.ts';
import { defineTool } from './tool.ts';

const USUAL = 10;
const MOST_VALUE = 500;
const MOST_FILES = 50;
const MOST_FILE_CHARACTERS = 200_000;
const MOST_OF_ONE = 20_000;

export const importPreviewTool = defineTool({
  name: 'import_preview',
  title: 'Preview an import',
  description:
    'Shows what notes (markdown), tables (CSV) or JSON would become here: the entities, and what became of each property. Nothing is written. To bring something in, send it with create_draft.',
  role: PERMISSIONS.create_entities,
  effect: 'reads',
  input: closed({
    files: Type.Array(
      closed({
        path: Type.String({ minLength: 1, maxLength: 500, description: 'Such as `People/Mira Vale.md`' }),
        content: Type.String({ minLength: 1, maxLength: MOST_FILE_CHARACTERS }),
      }),
      { minItems: 1, maxItems: MOST_FILES },
    ),
    entity_type: Type.Optional(EntityType),
    limit: Type.Optional(limitOf(MOST_FILES, USUAL)),
    offset: Type.Optional(Offset),
  }),
  async run({ files, entity_type, limit = USUAL, offset = 0 }, agent) {
    const { totals, notes, refused } = await agent.ask(previewImport, {
      body: { files, include_json: true, ...(entity_type !== undefined && { entity_type }) },
    });
    const page = notes.slice(offset, offset + limit).map((note) => shortened(note, MOST_VALUE));
    const shown = fitting(page);
    return answerOf({
      totals,
      notes: shown,
      refused: refused.slice(0, MOST_FILES),
      next_offset: nextOffset(offset, shown.length, notes.length),
    });
  },
});

export const exportTool = defineTool({
  name: 'export',
  title: 'Export entities',
  description:
    'The files of several entities as markdown with YAML frontmatter: of a whole type, page by page, or of those that are named. Long files are cut: read_entity has the rest.',
  role: 'viewer',
  effect: 'reads',
  input: closed({
    entity_type: EntityType,
    entity_ids: Type.Optional(
      Type.Array(EntityId, { minItems: 1, maxItems: 50, description: 'All of the type by default' }),
    ),
    limit: Type.Optional(limitOf(50, USUAL)),
    offset: Type.Optional(Offset),
  }),
  async run({ entity_type, entity_ids, limit = USUAL, offset = 0 }, agent) {
    const { ids, total } = await idsOf(agent, entity_type, { entity_ids, limit, offset });
    const files: { entity_id: string; filename: string; content: string; cut: boolean }[] = [];
    for (const id of ids) {
      const { filename, content } = await agent.ask(exportMarkdown, { params: { type: entity_type, id } });
      const { text, next_offset } = textPage(content, 0, MOST_OF_ONE);
      files.push({ entity_id: id, filename, content: text, cut: next_offset !== null });
    }
    const shown = fitting(files);
    return answerOf({
      entity_type,
      total,
      files: shown,
      next_offset: nextOffset(offset, shown.length, total),
    });
  },
});

interface Wanted {
  entity_ids: readonly string[] | undefined;
  limit: number;
  offset: number;
}

async function idsOf(agent: Agent, type: string, { entity_ids, limit, offset }: Wanted) {
  if (entity_ids !== undefined)
    return { ids: entity_ids.slice(offset, offset + limit), total: entity_ids.length };
  const { total, entities } = await agent.ask(listEntities, {
    params: { type },
    query: { limit, offset, sort_by: 'entity_id', sort_order: 'asc' },
  });
  return { ids: entities.map(({ entity_id }) => entity_id), total };
}
