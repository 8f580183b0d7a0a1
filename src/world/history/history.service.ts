import { readDocument } from '../../content/frontmatter/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { notFound } from '../../kit/errors.ts';
import type { TemplateRegistry } from '../definitions/index.ts';
import type { Project } from '../records/index.ts';
import { readEntityFile } from '../texts/index.ts';
import { listPastEntities, type PastEntity } from './history.store.ts';
import { pastText } from './past-files.ts';

const shown = ({ row_id: _, path: __, ...entity }: PastEntity) => entity;

export type History = ReturnType<typeof createHistory>;

/** Reads a project as it was at a time. */
export function createHistory({ templates }: { templates: TemplateRegistry }) {
  async function list(
    project: Project,
    at: string,
    entityType: string | null,
    page: { limit: number; offset: number },
  ) {
    const { total, rows } = await listPastEntities(project, { at, entityType, entityId: null }, page);
    return { total, at, entities: rows.map(shown) };
  }

  async function get(project: Project, at: string, entityType: string, entityId: string) {
    const query = { at, entityType, entityId };
    const found = (await listPastEntities(project, query, { limit: 1, offset: 0 })).rows[0];
    if (found === undefined) {
      throw notFound(`There was no ${entityType} '${entityId}' at ${at}`, { code: 'no_such_entity' });
    }
    const content = await pastText(project, found);
    const template = (await templates.of(project)).types.get(entityType);
    const file = { path: found.path, text: content, checksum: checksumOf(content) };
    const read = template && readEntityFile(template, file);
    const document = readDocument(content);
    return {
      ...shown(found),
      fields: read?.ok ? read.content.own_fields : document.ok ? document.data : {},
      markdown_body: document.ok ? document.body : content,
      content,
    };
  }

  return { list, get };
}
