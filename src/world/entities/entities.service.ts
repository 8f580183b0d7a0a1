import type { PlanName } from '../../access/plans.ts';
import { isEntityId, newDocumentData, unknownFields, withWholeMaps } from '../../content/entity/index.ts';
import { newDocument, type ReadDocument, readDocument } from '../../content/frontmatter/index.ts';
import { entityFilePath } from '../../content/paths/index.ts';
import type { SearchPhrase } from '../../content/search-text.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { type Clock, isoDate, isoTime } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { conflict, HttpError, invalid, notFound } from '../../kit/errors.ts';
import type { HeaderValue } from '../../kit/http/etag.ts';
import { type FileStat, FilesError, type FolderEntry } from '../../platform/files/files.ts';
import { ifGone } from '../../platform/files/if-gone.ts';
import { findEntityRow } from '../records/entity-rows.store.ts';
import { touchAssetsIn } from '../records/files.store.ts';
import type { EntityRow, RecordsDb } from '../records/records.tables.ts';
import type { Project } from '../records/scope.ts';
import type { TemplateRegistry } from '../templates/templates.registry.ts';
import { type EntityState, entityOfDocument } from '../texts/render.ts';
import { searchProject } from './entities.store.ts';
import {
  BY_API,
  commitEntity,
  type Origin,
  overtaken,
  type Saved,
  unlessOvertaken,
} from './entity-commit.ts';
import { editEntity, requireUpdate, type UpdateInput, written } from './entity-edit.ts';
import { readEntity, refuseNeverRead, requireSize } from './entity-files.ts';
import { inRoom } from './entity-room.ts';
import { withIdOfName } from './new-id.ts';
import { folderOf } from './recycle-item.ts';
import type { ReferenceChecks } from './reference-checks.ts';
import { type SettledFile, settleFile } from './settle-file.ts';

export interface EntitiesDependencies {
  templates: TemplateRegistry;
  clock: Clock;
  checks: ReferenceChecks;
}

/** Who changes something, and what their plan allows. */
export interface Author {
  actor: string;
  plan: PlanName;
}

export interface NewEntityInput {
  /** Made of the name unless given. */
  entity_id?: string | undefined;
  name: string;
  status?: string | undefined;
  fields?: Record<string, unknown> | undefined;
  markdown_body?: string | undefined;
}

type SettledRow = Pick<SettledFile, 'row' | 'text' | 'bytes'>;

interface WriteOptions {
  actor: string;
  changed: string[];
  action: 'update' | 'restore';
  origin?: Origin;
  /** Versions between the present and the new one that `origin.also` stores. */
  skippedVersions?: number;
}

export type Entities = ReturnType<typeof createEntities>;

export const entityLock = (project: Project, entityType: string, entityId: string): string =>
  `entity ${project.projectId} ${entityType} ${entityId}`;

export function createEntities({ templates, clock, checks }: EntitiesDependencies) {
  const now = () => isoTime(clock.now());

  const typesOf = async (project: Project) => (await templates.of(project)).types;

  async function templateOf(project: Project, entityType: string): Promise<TemplateDefinition> {
    const { types } = await templates.knowing(project, [entityType]);
    const template = types.get(entityType);
    if (template) return template;
    throw notFound(`There is no entity type '${entityType}' in this project: a template would make it one`, {
      code: 'unknown_type',
    });
  }

  /** What the caller may have mistyped: given fields that the template does not know. */
  async function warningsOf(project: Project, entityType: string, input: Pick<UpdateInput, 'fields'>) {
    const template = await templateOf(project, entityType);
    const { fields = {} } = withWholeMaps(template, {}, input);
    return unknownFields(template, fields).map(({ field, message }) => ({ field, message }));
  }

  /** The best matches over the whole project, or over each of some types, as JSON texts, best first. */
  async function search(
    project: Project,
    query: { phrases: readonly SearchPhrase[]; entityTypes: readonly string[] | null; limit: number },
  ) {
    for (const type of query.entityTypes ?? []) await templateOf(project, type);
    if (query.phrases.length === 0) return [];
    return searchProject(project, { ...query, knownTypes: await typesOf(project) });
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
  ): Promise<Saved> {
    const template = await templateOf(project, entityType);
    const whole = withWholeMaps(template, {}, input);
    requireUpdate(template, whole);
    const { entity_id: given } = whole;
    if (given !== undefined) return createAs(project, template, given, whole, author);
    return withIdOfName(whole.name, entityType, (entityId) =>
      createAs(project, template, entityId, whole, author),
    );
  }

  async function createAs(
    project: Project,
    template: TemplateDefinition,
    entityId: string,
    { name, fields = {}, status = 'draft', markdown_body: body }: NewEntityInput,
    author: Author,
  ): Promise<Saved> {
    if (!isEntityId(entityId) || entityId === 'schema') {
      throw invalid(`The id '${entityId}' must match ^[a-z0-9][a-z0-9_]{0,99}$ and must not be 'schema'`, {
        code: 'invalid_id',
        errors: [{ field: 'entity_id', message: 'must be lower-case letters, digits and underscores' }],
      });
    }
    const at = clock.now();
    const data = newDocumentData(template, {
      entity_id: entityId,
      name,
      status,
      fields,
      today: isoDate(at),
    });
    const document = written(() => newDocument(data, body ?? template.skeleton));
    return project.database.exclusive(entityLock(project, template.entity_type, entityId), () =>
      makeFile(project, template, entityId, document, author),
    );
  }

  /**
   * Makes an entity of a file's whole text, at its specified path unless another is named. The caller holds the
   * entity's lock. A file with the very same bytes that an operation left behind there is taken in.
   */
  async function writeNew(
    project: Project,
    template: TemplateDefinition,
    entityId: string,
    text: string,
    author: Author,
    origin: Origin,
    path?: string,
  ): Promise<EntityRow> {
    return (await makeFile(project, template, entityId, readable(project, text), author, origin, path)).row;
  }

  const makeFile = (
    project: Project,
    template: TemplateDefinition,
    entityId: string,
    document: ReadDocument,
    author: Author,
    origin: Origin = BY_API,
    path: string = entityFilePath(template, entityId),
  ): Promise<Saved> =>
    inRoom(project, { plan: author.plan, more: 1 }, () =>
      makeFileInRoom(project, template, { entityId, document, path }, author.actor, origin),
    );

  async function makeFileInRoom(
    project: Project,
    template: TemplateDefinition,
    { entityId, document, path }: { entityId: string; document: ReadDocument; path: string },
    actor: string,
    origin: Origin,
  ): Promise<Saved> {
    const text = textOf(document);
    requireSize(text, project);
    const { entity_type: entityType } = template;
    const at = now();
    const existing = await project.database.read((db: RecordsDb) =>
      findEntityRow(db, project, entityType, entityId),
    );
    if (existing) throw conflict(`${entityType} '${entityId}' exists already`, { code: 'entity_exists' });
    const folder = folderOf(path);
    const { state } = entityOfDocument(template, { path, document, checksum: checksumOf(text) });
    requireId(state, entityId);
    const left = origin.operation_id === null ? undefined : await fileWith(project, path, state);
    const { stat, folderWasThere } = left
      ? { stat: left, folderWasThere: true }
      : await writeNewFile(project, path, text);
    const { source, operation_id } = origin;
    const stamp = { version: 1, created_at: at, updated_at: at, updated_by: actor, source, operation_id };
    try {
      const saved = await commitEntity(
        project,
        {
          write: { state, previous: null, changed: [], stamp },
          stat,
          now,
        },
        async (db, stored) => {
          if (folderWasThere) await touchAssetsIn(db, project.database.dialect, project, [folder]);
          await origin.also(db, stored);
        },
      );
      await checks.follow(project, { came: [saved.row], gone: [] });
      return saved;
    } catch (error) {
      // What an editor wrote into it meanwhile stays, and the next sync takes it in.
      await project.files.removeOnly(path, Buffer.from(text)).catch(() => {});
      if (!folderWasThere) await project.files.removeEmptyFolder(folder).catch(() => {});
      throw error;
    }
  }

  /** Writes an entity's file to a folder of its own, as nearly always, or to one that is there without an entity. */
  async function writeNewFile(project: Project, path: string, text: string) {
    try {
      const stat = await project.files.write(path, text, { ifAbsent: true, newFolder: true });
      return { stat, folderWasThere: false };
    } catch (error) {
      if (!(error instanceof FilesError) || error.code !== 'exists') throw error;
    }
    const folder = folderOf(path);
    const entries = await project.files.list(folder).catch(ifGone);
    requireNoMarkdown(folder, entries ?? []);
    const stat = await project.files.write(path, text, { ifAbsent: true });
    return { stat, folderWasThere: entries !== undefined };
  }

  /** 409 when a markdown file in the folder claims the place already. */
  function requireNoMarkdown(folder: string, entries: readonly FolderEntry[]): void {
    const markdown = entries.find((entry) => entry.kind === 'file' && entry.name.endsWith('.md'));
    if (!markdown) return;
    throw conflict(
      `${folder}/${markdown.name} is there already, though not as a readable entity: mend or move it`,
      { code: 'file_exists' },
    );
  }

  /** Changes what is given; the rest of the file stays byte for byte. 412 over a state that the caller has not seen. */
  async function update(
    project: Project,
    entityType: string,
    entityId: string,
    input: UpdateInput,
    options: Author & { ifMatch?: HeaderValue },
  ): Promise<Saved> {
    const template = await templateOf(project, entityType);
    requireUpdate(template, withWholeMaps(template, {}, input));
    const attempt = async (): Promise<Saved> => {
      const row = await findRow(project, entityType, entityId).catch(async (error: unknown) => {
        if (error instanceof HttpError) await refuseNeverRead(project, template, entityId);
        throw error;
      });
      const settled = await settleFile(project, template, row, {
        overwrite: input.overwrite ?? false,
        actor: options.actor,
        now,
        ifMatch: options.ifMatch,
      });
      const whole = withWholeMaps(template, settled.document.data, input);
      const { changed, document } = editEntity(template, settled.document, whole, isoDate(clock.now()));
      if (changed.length === 0 && settled.text === settled.onDisk) return { row: settled.row };
      return replaceFile(project, template, settled, document, {
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
    settled: SettledRow,
    text: string,
    options: WriteOptions,
  ): Promise<EntityRow> {
    return (await replaceFile(project, template, settled, readable(project, text), options)).row;
  }

  async function replaceFile(
    project: Project,
    template: TemplateDefinition,
    { row, text: previousText, bytes: old }: SettledRow,
    document: ReadDocument,
    options: WriteOptions,
  ): Promise<Saved> {
    const text = textOf(document);
    const at = isoTime(clock.now());
    const state = stateOf(project, template, row, document);
    const { source, operation_id, also } = options.origin ?? BY_API;
    const stat = await writeOver(project, row, text, old);
    try {
      const stamp = {
        version: row.version + 1 + (options.skippedVersions ?? 0),
        created_at: row.created_at,
        updated_at: at,
        updated_by: options.actor,
        source,
        operation_id,
      };
      const write = {
        state,
        previous: row,
        previousText,
        changed: options.changed,
        stamp,
        isRestored: options.action === 'restore',
      };
      return await commitEntity(project, { write, stat, now }, also);
    } catch (error) {
      await project.files.write(row.path, old, { onlyOver: Buffer.from(text) }).catch(() => {});
      throw error;
    }
  }

  return {
    typesOf,
    templateOf,
    warningsOf,
    search,
    findRow,
    create,
    writeNew,
    update,
    writeText,
    followTargets: checks.follow,
    readEntity,
  };
}

/** 413 or 422 for a text that may not become an entity's. */
export const requireText = (
  project: Project,
  template: TemplateDefinition,
  row: EntityPlace,
  text: string,
): void => void stateOf(project, template, row, readable(project, text));

type EntityPlace = Pick<EntityRow, 'path' | 'entity_id'>;

function stateOf(
  project: Project,
  template: TemplateDefinition,
  { path, entity_id }: EntityPlace,
  document: ReadDocument,
): EntityState {
  const text = textOf(document);
  requireSize(text, project);
  const { state } = entityOfDocument(template, { path, document, checksum: checksumOf(text) });
  requireId(state, entity_id);
  return state;
}

function readable(project: Project, text: string): ReadDocument {
  requireSize(text, project);
  const read = readDocument(text);
  if (read.ok) return read;
  const { reason, code } = read.problem;
  throw invalid(`The file would not be readable: ${reason}`, { code });
}

function requireId(state: EntityState, entityId: string): void {
  if (state.entity_id === entityId) return;
  throw invalid(`The text belongs to '${state.entity_id}', not to '${entityId}'`, { code: 'id_mismatch' });
}

/** Replaces the bytes that were read, and no others: what somebody wrote since is looked at first. */
async function writeOver(project: Project, row: EntityRow, text: string, old: Uint8Array): Promise<FileStat> {
  try {
    return await project.files.write(row.path, text, { onlyOver: old });
  } catch (error) {
    if (error instanceof FilesError && ['changed', 'not_found'].includes(error.code)) throw overtaken(row);
    throw error;
  }
}

/** The file when it has exactly the bytes of this state. */
async function fileWith(project: Project, path: string, state: EntityState): Promise<FileStat | undefined> {
  const stat = await project.files.stat(path);
  const isSame = stat && checksumOf(await project.files.read(path)) === state.file_checksum;
  return isSame ? stat : undefined;
}

const textOf = ({ head, body }: ReadDocument): string => head + body;
