import { isEntityId, newDocumentData } from '../../content/entity/index.ts';
import { newDocument, type ReadDocument } from '../../content/frontmatter/index.ts';
import { entityFilePath } from '../../content/paths/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { type Clock, isoDate, isoTime } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { conflict, invalid } from '../../kit/errors.ts';
import { type FileStat, FilesError, type FolderEntry } from '../../platform/files/files.ts';
import { ifGone } from '../../platform/files/if-gone.ts';
import {
  type EntityRow,
  findEntityRow,
  type Project,
  type RecordsDb,
  touchAssetsIn,
} from '../records/index.ts';
import type { EntityState } from '../texts/index.ts';
import type { Author } from './author.ts';
import { type BeforeHooks, viaOf } from './before-hooks.ts';
import { BY_API, commitEntity, type Origin, type Saved } from './entity-commit.ts';
import { written } from './entity-edit.ts';
import { requireSize } from './entity-files.ts';
import { entityLock } from './entity-lock.ts';
import { inRoom } from './entity-room.ts';
import { readable, stateOf, textOf } from './entity-text.ts';
import { publishFile } from './publish-draft.ts';
import { folderOf } from './recycle-item.ts';
import type { ReferenceChecks } from './reference-checks.ts';

export interface NewEntityInput {
  /** Derived from the name unless given. */
  entity_id?: string | undefined;
  name: string;
  status?: string | undefined;
  fields?: Record<string, unknown> | undefined;
  markdown_body?: string | undefined;
}

interface NewFile {
  entityId: string;
  document: ReadDocument;
  path: string;
}

export interface CreatingOptions {
  checks: ReferenceChecks;
  hooks: BeforeHooks;
  clock: Clock;
}

export function createCreating({ checks, hooks, clock }: CreatingOptions) {
  const now = () => isoTime(clock.now());

  /** 402 over the plan's limit, 409 for a used id, 422 for invalid values. */
  async function createAs(
    project: Project,
    template: TemplateDefinition,
    entityId: string,
    { name, fields = {}, status = 'draft', markdown_body: body }: NewEntityInput,
    author: Author,
  ): Promise<Saved> {
    requireEntityId(entityId);
    const today = isoDate(clock.now());
    const data = newDocumentData(template, { entity_id: entityId, name, status, fields, today });
    const document = written(() => newDocument(data, body ?? template.skeleton));
    const lock = entityLock(project, template.entity_type, entityId);
    const file = { entityId, document, path: entityFilePath(template, entityId) };
    return project.database.exclusive(lock, () => makeFile(project, template, file, author, BY_API));
  }

  /** Creates an entity from a whole text under its lock. An identical file that an interrupted operation left there is accepted. */
  async function writeNew(
    project: Project,
    template: TemplateDefinition,
    { entityId, text, path = entityFilePath(template, entityId) }: NewText,
    author: Author,
    origin: Origin,
  ): Promise<EntityRow> {
    const file = { entityId, document: readable(project, text), path };
    return (await makeFile(project, template, file, author, origin)).row;
  }

  const makeFile = (
    project: Project,
    template: TemplateDefinition,
    file: NewFile,
    author: Author,
    origin: Origin,
  ): Promise<Saved> =>
    inRoom(project, { plan: author.plan, more: 1 }, () =>
      makeFileInRoom(project, template, file, author, origin),
    );

  async function makeFileInRoom(
    project: Project,
    template: TemplateDefinition,
    { entityId, document: given, path }: NewFile,
    author: Author,
    { source, operation_id, also }: Origin,
  ): Promise<Saved> {
    requireSize(textOf(given), project);
    const at = now();
    await requireNoEntity(project, template.entity_type, entityId);
    const folder = folderOf(path);
    const place = { path, entity_id: entityId };
    const planned = {
      template,
      entity_id: entityId,
      row: null,
      document: given,
      actor: author.actor,
      source,
    };
    const { document, state, replaced } = await hooks.run(
      project,
      {
        ...planned,
        guest: author.guest,
        isRestored: false,
        stateOf: (each) => stateOf(project, template, place, each),
      },
      { source, operation_id },
    );
    const text = textOf(document);
    const via = viaOf([author.via, author.guest], replaced);
    const by = { updated_by: author.actor, source, operation_id, via };
    const stamp = { version: 1, created_at: at, updated_at: at, ...by };
    const write = { state, previous: null, changed: [], stamp };
    const file = { path, newFolder: true };
    const saved = await publishFile(project, file, {
      put: () => putNewFile(project, { path, text, state, isLeftOver: operation_id !== null }),
      store: ({ stat, folderWasThere }) =>
        commitEntity(project, { write, stat, now }, async (db, stored) => {
          if (folderWasThere) await touchAssetsIn(db, project.database.dialect, project, [folder]);
          await also(db, stored);
        }),
      async putBack({ folderWasThere }) {
        // If an editor has changed the file meanwhile, it stays, and the next sync imports it.
        await project.files.removeOnly(path, Buffer.from(text)).catch(() => {});
        if (!folderWasThere) await project.files.removeEmptyFolder(folder);
      },
    });
    await checks.follow(project, { added: [saved.row], removed: [] });
    return saved;
  }

  return { createAs, writeNew };
}

export interface NewText {
  entityId: string;
  text: string;
  path?: string | undefined;
}

export function requireEntityId(entityId: string): void {
  if (isEntityId(entityId) && entityId !== 'schema') return;
  throw invalid(`The id '${entityId}' must match ^[a-z0-9][a-z0-9_]{0,99}$ and must not be 'schema'`, {
    code: 'invalid_id',
    errors: [{ field: 'entity_id', message: 'must be lower-case letters, digits and underscores' }],
  });
}

async function requireNoEntity(project: Project, entityType: string, entityId: string): Promise<void> {
  const existing = await project.database.read((db: RecordsDb) =>
    findEntityRow(db, project, entityType, entityId),
  );
  if (existing) throw conflict(`${entityType} '${entityId}' exists already`, { code: 'entity_exists' });
}

interface PutFile {
  path: string;
  text: string;
  state: EntityState;
  /** True if an earlier attempt of the same operation may have written it. */
  isLeftOver: boolean;
}

async function putNewFile(project: Project, { path, text, state, isLeftOver }: PutFile) {
  const left = isLeftOver ? await fileWith(project, path, state) : undefined;
  return left ? { stat: left, folderWasThere: true } : writeNewFile(project, path, text);
}

/** Usually in a new folder, else in one without an entity. */
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

/** Throws 409 if the folder already has a markdown file. */
function requireNoMarkdown(folder: string, entries: readonly FolderEntry[]): void {
  const markdown = entries.find((entry) => entry.kind === 'file' && entry.name.endsWith('.md'));
  if (!markdown) return;
  throw conflict(
    `${folder}/${markdown.name} already exists but cannot be read as an entity: fix or move it`,
    {
      code: 'file_exists',
    },
  );
}

/** Undefined unless the file has exactly the bytes of this state. */
async function fileWith(project: Project, path: string, state: EntityState): Promise<FileStat | undefined> {
  const stat = await project.files.stat(path);
  const isSame = stat && checksumOf(await project.files.read(path)) === state.file_checksum;
  return isSame ? stat : undefined;
}
