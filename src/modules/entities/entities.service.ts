import {
  checkFieldsForWrite,
  type EntityPatch,
  entityDataEdit,
  isEntityId,
  newDocumentData,
} from '../../content/entity/index.ts';
import { createDocument, DocumentError, editDocument } from '../../content/frontmatter/index.ts';
import { entityFilePath, entityFolder } from '../../content/paths/index.ts';
import { PLANS, type PlanName } from '../../content/plans.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { type Clock, isoDate, isoTime } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { conflict, invalid, notFound } from '../../kit/errors.ts';
import type { HeaderValue } from '../../kit/http/etag.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import { FilesError } from '../../platform/files/files.ts';
import { countTenantEntities } from '../records/counts.store.ts';
import { findEntityRow } from '../records/entity-rows.store.ts';
import type { EntityRow, RecordsDb } from '../records/records.tables.ts';
import { type EntityState, readEntityFile } from '../records/render.ts';
import type { Project } from '../records/scope.ts';
import type { TemplateRegistry } from '../templates/templates.registry.ts';
import { commitEntity, limitReply, overtaken, unlessOvertaken } from './entity-commit.ts';
import { readEntity, requireSize } from './entity-files.ts';
import { requireMatch } from './etag.ts';
import { type SettledFile, settleFile } from './settle-file.ts';

export interface EntitiesDependencies {
  templates: TemplateRegistry;
  bus: Bus;
  clock: Clock;
}

/** Who changes something, and what their plan allows. */
export interface Author {
  actor: string;
  plan: PlanName;
}

export interface NewEntityInput {
  entity_id: string;
  name: string;
  status?: string | undefined;
  fields?: Record<string, unknown> | undefined;
  markdown_body?: string | undefined;
}

export interface UpdateInput {
  name?: string | undefined;
  status?: string | undefined;
  fields?: Record<string, unknown> | undefined;
  markdown_body?: string | undefined;
  primary_asset?: string | null | undefined;
  production_status?: unknown;
  overwrite?: boolean | undefined;
}

export type Entities = ReturnType<typeof createEntities>;

export const entityLock = (project: Project, entityType: string, entityId: string): string =>
  `entity ${project.projectId} ${entityType} ${entityId}`;

const requireName = (name: string): string => {
  if (name.trim() === '')
    throw invalid('The name must not be empty', { errors: [{ field: 'name', message: 'is empty' }] });
  return name;
};

const requireFields = (template: TemplateDefinition, fields: Record<string, unknown>): void => {
  const errors = checkFieldsForWrite(template, fields);
  const first = errors[0];
  if (first) throw invalid(`fields.${first.field} ${first.message}`, { code: 'invalid_fields', errors });
};

const present = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

export function createEntities({ templates, bus, clock }: EntitiesDependencies) {
  const now = () => isoTime(clock.now());

  async function templateOf(project: Project, entityType: string): Promise<TemplateDefinition> {
    const template = (await templates.of(project)).types.get(entityType);
    if (template) return template;
    throw notFound(`There is no entity type '${entityType}' in this project: a template would make it one`, {
      code: 'unknown_type',
    });
  }

  function announce(
    project: Project,
    state: EntityRow | EntityState,
    action: string,
    fields: string[],
    actor: string,
  ) {
    bus.publish(project.tenantId, {
      type: 'entity_updated',
      project_id: project.projectId,
      entity_type: state.entity_type,
      entity_id: state.entity_id,
      action,
      updated_fields: fields,
      updated_by: actor,
      timestamp: isoTime(clock.now()),
    });
  }

  const findRow = async (project: Project, entityType: string, entityId: string): Promise<EntityRow> => {
    const row = await project.database.read((db: RecordsDb) =>
      findEntityRow(db, project, entityType, entityId),
    );
    if (row) return row;
    throw notFound(`There is no ${entityType} '${entityId}'`, { code: 'no_such_entity' });
  };

  /** Makes an entity's file and row. 402 over the plan's limit, 409 when the id is taken, 422 for refused values. */
  async function create(
    project: Project,
    entityType: string,
    input: NewEntityInput,
    author: Author,
  ): Promise<EntityRow> {
    const template = await templateOf(project, entityType);
    const { entity_id: entityId, fields = {}, status = 'draft' } = input;
    if (!isEntityId(entityId) || entityId === 'schema') {
      throw invalid(`The id '${entityId}' must match ^[a-z0-9][a-z0-9_]{0,99}$ and must not be 'schema'`, {
        code: 'invalid_id',
        errors: [{ field: 'entity_id', message: 'must be lower-case letters, digits and underscores' }],
      });
    }
    requireName(input.name);
    requireFields(template, fields);
    const at = clock.now();
    const data = newDocumentData(template, {
      entity_id: entityId,
      name: input.name,
      status,
      fields,
      today: isoDate(at),
    });
    const text = written(() => createDocument(data, input.markdown_body ?? template.skeleton));
    requireSize(text);
    return project.database.exclusive(entityLock(project, entityType, entityId), () =>
      writeNew(project, template, entityId, text, author, isoTime(at)),
    );
  }

  async function writeNew(
    project: Project,
    template: TemplateDefinition,
    entityId: string,
    text: string,
    { actor, plan }: Author,
    at: string,
  ): Promise<EntityRow> {
    const { entity_type: entityType } = template;
    const limit = PLANS[plan].entities_limit;
    const existing = await project.database.read(async (db: RecordsDb) => {
      if (limit >= 0 && (await countTenantEntities(db, project.tenantId)) >= limit) throw limitReply(limit);
      return findEntityRow(db, project, entityType, entityId);
    });
    if (existing) throw conflict(`${entityType} '${entityId}' exists already`, { code: 'entity_exists' });
    const folder = entityFolder(template, entityId);
    const path = entityFilePath(template, entityId);
    const read = readEntityFile(template, { path, text, checksum: checksumOf(text) });
    if (!read.ok)
      throw invalid(`The file would not be readable: ${read.problem.reason}`, { code: read.problem.code });
    const folderWasThere = await holdsMarkdown(project, folder);
    const stat = await project.files.write(path, text, { ifAbsent: true });
    try {
      const row = await commitEntity(project, {
        write: {
          state: read.state,
          previous: null,
          changed: [],
          stamp: { version: 1, created_at: at, updated_at: at, updated_by: actor, source: 'api' },
        },
        stat,
        entitiesLimit: limit,
        now,
      });
      announce(project, row, 'create', [], actor);
      return row;
    } catch (error) {
      await project.files.remove(path).catch(() => {});
      if (!folderWasThere) await removeIfEmpty(project, folder).catch(() => {});
      throw error;
    }
  }

  /** Whether the folder is there; 409 when a markdown file in it claims the place already. */
  async function holdsMarkdown(project: Project, folder: string): Promise<boolean> {
    const entries = await project.files.list(folder).catch((error: unknown) => {
      if (error instanceof FilesError && error.code === 'not_found') return null;
      throw error;
    });
    const markdown = entries?.find((entry) => entry.kind === 'file' && entry.name.endsWith('.md'));
    if (markdown) {
      throw conflict(
        `${folder}/${markdown.name} is there already, though not as a readable entity: mend or move it`,
        {
          code: 'file_exists',
        },
      );
    }
    return entries !== null;
  }

  async function removeIfEmpty(project: Project, folder: string): Promise<void> {
    if ((await project.files.list(folder)).length === 0) await project.files.remove(folder);
  }

  /** Changes what is given; the rest of the file stays byte for byte. 412 over a state that the caller has not seen. */
  async function update(
    project: Project,
    entityType: string,
    entityId: string,
    input: UpdateInput,
    options: Author & { ifMatch?: HeaderValue },
  ): Promise<EntityRow> {
    const template = await templateOf(project, entityType);
    const { markdown_body: body, overwrite = false, ...attributes } = input;
    if (attributes.name !== undefined) requireName(attributes.name);
    requireFields(template, attributes.fields ?? {});
    const attempt = async (): Promise<EntityRow> => {
      const settled = await settleFile(project, template, await findRow(project, entityType, entityId), {
        overwrite,
        actor: options.actor,
        now,
      });
      requireMatch(options.ifMatch, settled.row);
      const patch = { ...present(attributes), today: isoDate(clock.now()) } as EntityPatch;
      const edit = entityDataEdit(template, settled.document.data, patch);
      const bodyChanges = body !== undefined && body !== settled.document.body;
      if (bodyChanges && Object.hasOwn(settled.document.data, 'last_updated'))
        edit.set.last_updated = patch.today;
      const changed = [
        ...Object.keys(edit.set).filter((key) => key !== 'last_updated'),
        ...(bodyChanges ? ['markdown_body'] : []),
      ];
      if (changed.length === 0 && settled.text === settled.onDisk) return settled.row;
      const text = written(() => editDocument(settled.text, { ...edit, ...(bodyChanges && { body }) }));
      return writeText(project, template, settled, text, {
        actor: options.actor,
        changed,
        action: 'update',
      });
    };
    return project.database.exclusive(entityLock(project, entityType, entityId), () =>
      unlessOvertaken(attempt),
    );
  }

  /**
   * Replaces the text of an entity's file and stores it as the next version. The caller holds the entity's lock and
   * has settled the file; 409 when an editor has written to it since. The old bytes come back when the database refuses.
   */
  async function writeText(
    project: Project,
    template: TemplateDefinition,
    { row, diskChecksum }: Pick<SettledFile, 'row' | 'diskChecksum'>,
    text: string,
    options: { actor: string; changed: string[]; action: 'update' | 'restore' },
  ): Promise<EntityRow> {
    requireSize(text);
    const at = isoTime(clock.now());
    const read = readEntityFile(template, { path: row.path, text, checksum: checksumOf(text) });
    if (!read.ok)
      throw invalid(`The file would not be readable: ${read.problem.reason}`, { code: read.problem.code });
    if (read.state.entity_id !== row.entity_id) {
      throw invalid(`The text belongs to '${read.state.entity_id}', not to '${row.entity_id}'`, {
        code: 'id_mismatch',
      });
    }
    const old = await project.files.read(row.path);
    if (checksumOf(old) !== diskChecksum) throw overtaken(row);
    const stat = await project.files.write(row.path, text);
    try {
      const stored = await commitEntity(project, {
        write: {
          state: read.state,
          previous: row,
          changed: options.changed,
          stamp: {
            version: row.version + 1,
            created_at: row.created_at,
            updated_at: at,
            updated_by: options.actor,
            source: 'api',
          },
        },
        stat,
        entitiesLimit: -1,
        now,
      });
      announce(project, stored, options.action, options.changed, options.actor);
      return stored;
    } catch (error) {
      await project.files.write(row.path, old).catch(() => {});
      throw error;
    }
  }

  return { templateOf, findRow, create, update, writeText, announce, readEntity };
}

/** The text that `write` makes; what the codec refuses is the caller's 422. */
function written(write: () => string): string {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const { reason, code } = error.problem;
    throw invalid(`The entity's file cannot hold this: ${reason}. Nothing was changed`, { code });
  }
}
