import { compareContent } from '../../content/compare.ts';
import { decodeUtf8 } from '../../content/frontmatter/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { conflict, notFound } from '../../kit/errors.ts';
import type { HeaderValue } from '../../kit/http/etag.ts';
import { storedFileText } from '../records/entity-rows.store.ts';
import type { EntityRow, RecordsDb } from '../records/records.tables.ts';
import { readEntityFile } from '../records/render.ts';
import { countRevisions, findRevision, listRevisions, type RevisionRow } from '../records/revisions.store.ts';
import type { Project } from '../records/scope.ts';
import { type Author, type Entities, entityLock } from './entities.service.ts';
import { requireMatch } from './etag.ts';
import { settleFile } from './settle-file.ts';

type Summary = Omit<RevisionRow, 'row_id' | 'tenant_id' | 'content'>;

const summaryOf = (revision: Summary, current: boolean) => ({
  version: revision.version,
  name: revision.name,
  status: revision.status,
  checksum: revision.checksum,
  file_checksum: revision.file_checksum,
  source: revision.source,
  changed: JSON.parse(revision.changed) as string[],
  created_at: revision.created_at,
  created_by: revision.created_by,
  current,
});

/** The newest state as if it were kept already. */
const headOf = (row: EntityRow): Summary => ({
  ...row,
  created_at: row.updated_at,
  created_by: row.updated_by,
});

export type Revisions = ReturnType<typeof createRevisions>;

export function createRevisions({ entities, clock }: { entities: Entities; clock: Clock }) {
  async function list(project: Project, entityType: string, entityId: string, limit: number, offset: number) {
    const row = await entities.findRow(project, entityType, entityId);
    return project.database.read(async (db: RecordsDb) => {
      const head = offset === 0 ? [summaryOf(headOf(row), true)] : [];
      const kept = await listRevisions(
        db,
        project.tenantId,
        row.row_id,
        limit - head.length,
        Math.max(0, offset - 1),
      );
      return {
        total: 1 + (await countRevisions(db, project.tenantId, row.row_id)),
        revisions: [...head, ...kept.map((revision) => summaryOf(revision, false))],
      };
    });
  }

  async function load(
    project: Project,
    row: EntityRow,
    version: number,
  ): Promise<{ summary: Summary; content: string }> {
    const found = await project.database.read(async (db: RecordsDb) => {
      if (version === row.version) {
        const content = await storedFileText(db, row.row_id);
        return content === undefined ? undefined : { summary: headOf(row), content };
      }
      const revision = await findRevision(db, project.tenantId, row.row_id, version);
      return revision && { summary: revision, content: revision.content };
    });
    if (found) return found;
    throw notFound(
      `${row.entity_type} '${row.entity_id}' has no version ${version}; the newest is ${row.version}`,
      {
        code: 'no_such_version',
      },
    );
  }

  /** What a kept text says; one that cannot be read shows as body alone. */
  function readText(template: TemplateDefinition, row: EntityRow, summary: Summary, text: string) {
    const read = readEntityFile(template, { path: row.path, text, checksum: summary.file_checksum });
    const content = read.ok ? read.content : null;
    return {
      name: summary.name,
      status: summary.status,
      fields: content?.own_fields ?? {},
      markdown_body: content?.markdown_body ?? text,
    };
  }

  async function get(project: Project, entityType: string, entityId: string, version: number) {
    const template = await entities.templateOf(project, entityType);
    const row = await entities.findRow(project, entityType, entityId);
    const { summary, content } = await load(project, row, version);
    const { fields, markdown_body } = readText(template, row, summary, content);
    return { ...summaryOf(summary, version === row.version), fields, markdown_body, content };
  }

  async function diff(
    project: Project,
    entityType: string,
    entityId: string,
    from: number,
    against?: number,
  ) {
    const template = await entities.templateOf(project, entityType);
    const row = await entities.findRow(project, entityType, entityId);
    const to = against ?? row.version;
    const [before, after] = await Promise.all([load(project, row, from), load(project, row, to)]);
    const difference = compareContent(
      readText(template, row, before.summary, before.content),
      readText(template, row, after.summary, after.content),
    );
    return { from, to, ...difference };
  }

  /** Writes an old version's text back, byte for byte, as the newest version. */
  async function restore(
    project: Project,
    entityType: string,
    entityId: string,
    version: number,
    options: Author & { ifMatch?: HeaderValue },
  ): Promise<EntityRow> {
    const template = await entities.templateOf(project, entityType);
    return project.database.exclusive(entityLock(project, entityType, entityId), async () => {
      const present = await entities.findRow(project, entityType, entityId);
      const { content, summary } = await load(project, present, version);
      const settled = await settleFile(project, template, present, {
        overwrite: true,
        actor: options.actor,
        now: () => isoTime(clock.now()),
      });
      const { row } = settled;
      requireMatch(options.ifMatch, row);
      if (
        checksumOf(content) !== summary.file_checksum ||
        !decodeUtf8(new TextEncoder().encode(content)).ok
      ) {
        throw conflict(`Version ${version} was kept in part only: its bytes were no text`, {
          code: 'not_restorable',
        });
      }
      if (row.file_checksum === summary.file_checksum) return row;
      return entities.writeText(project, template, settled, content, {
        actor: options.actor,
        changed: ['*'],
        action: 'restore',
      });
    });
  }

  return { list, get, diff, restore };
}
