import { isEntityId } from '../../content/entity/index.ts';
import { readDocument } from '../../content/frontmatter/index.ts';
import type { DocumentMerge } from '../../content/merge/index.ts';
import { entityFilePath } from '../../content/paths/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { type Clock, isoDate, isoTime } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { conflict, HttpError, invalid } from '../../kit/errors.ts';
import { type ConflictRecords, type ConflictRow, sideOfRow } from '../../world/conflict-records/index.ts';
import {
  type Author,
  changedParts,
  type Edit,
  type Entities,
  etagOf,
  folderOf,
  type Origin,
  type ReconciledFile,
  type RecycleBin,
  requireText,
  type Version,
} from '../../world/entities/index.ts';
import type { Mirror } from '../../world/mirror/index.ts';
import {
  type EntityRow,
  findEntityFolderRow,
  findEntityRow,
  findLastLife,
  mergeTexts,
  newestRevisionWith,
  type Project,
  type RecordsDb,
  type RecycleRow,
  readRevision,
} from '../../world/records/index.ts';
import { findBase } from './base.ts';
import type { PushedEntity } from './push.contract.ts';
import { entityPath } from './pushed-path.ts';
import { editedText, newText } from './pushed-text.ts';

export type PushOutcome =
  | { kind: 'accepted'; row: EntityRow | null }
  | { kind: 'conflict'; record: ConflictRow; merge: DocumentMerge | null };

/** Two texts whose changes overlap. */
interface Disputed {
  settled: ReconciledFile;
  base: Version | null;
  text: string;
  merge: DocumentMerge | null;
  actor: string;
}

export interface PushEntityOptions {
  entities: Entities;
  recycleBin: RecycleBin;
  conflicts: ConflictRecords;
  mirror: Mirror;
  clock: Clock;
}

export interface Pusher extends Author {
  /** Merge changes that do not overlap. */
  autoMerge: boolean;
}

const BY_SYNC: Origin = { source: 'sync', operation_id: null, also: async () => undefined };

/** Accepts a pushed entity as a whole, or throws an HttpError. */
export function createPushEntity({ entities, recycleBin, conflicts, mirror, clock }: PushEntityOptions) {
  const now = () => isoTime(clock.now());
  const today = () => isoDate(clock.now());
  const looks = new WeakMap<Author, Promise<unknown>>();

  const rowOf = (project: Project, { entity_type, entity_id }: PushedEntity) =>
    project.database.read((db: RecordsDb) => findEntityRow(db, project, entity_type, entity_id));

  /** Scans the whole folder; at most once per push. */
  const lookAgain = (project: Project, author: Author): Promise<unknown> => {
    const look = looks.get(author) ?? mirror.sync(project, { kind: 'full' });
    looks.set(author, look);
    return look;
  };

  /** Restores a deleted entity if the push is a valid edit of it, so that its history continues. */
  async function bringBack(
    project: Project,
    template: TemplateDefinition,
    pushed: PushedEntity,
    author: Author,
  ): Promise<void> {
    const { entity_type: type, entity_id: id, version } = pushed;
    if ((await rowOf(project, pushed)) !== undefined) return;
    const item = await project.database.read((db: RecordsDb) => findLastLife(db, project, type, id));
    if (item === undefined) return;
    // A deletion on disk may be half of a move: scan for the other half, or the entity would exist twice.
    if (item.folder === null) {
      await lookAgain(project, author);
      if ((await rowOf(project, pushed)) !== undefined) return;
    }
    if (await isSuperseded(project, pushed, item)) {
      throw conflict(`${type} '${id}' was deleted since, by somebody who had seen this text`, {
        code: 'deleted',
      });
    }
    if (version === 1) return;
    const row = JSON.parse(item.record) as EntityRow;
    const base = await findBase(project, row, pushed);
    const before = base?.text ?? (await lastReadable(project, item));
    requireText(project, template, row, editedText(template, pushed, before, today()));
    const place = async ({ path }: RecycleRow): Promise<string> => {
      const free = await freePlace(project, template, { entity_id: id, path });
      return folderOf(free) + path.slice(folderOf(path).length);
    };
    await recycleBin
      .restore(project, item.item_id, author, { place, overDamaged: true })
      .catch((error: unknown) => {
        // Somebody else restored it first.
        if (!(error instanceof HttpError && [404, 409].includes(error.status))) throw error;
      });
  }

  /** The last valid text before the deletion: the deleted file may have been damaged. */
  async function lastReadable(project: Project, { row_id, version, content }: RecycleRow): Promise<string> {
    if (readDocument(content).ok) return content;
    return (await readRevision(project, row_id, version))?.text ?? content;
  }

  /** True if the text is an old version that others have followed. */
  async function isSuperseded(
    project: Project,
    { content, version }: PushedEntity,
    { row_id }: Pick<RecycleRow, 'row_id'>,
  ): Promise<boolean> {
    if (content === undefined) return false;
    const known = await project.database.read((db: RecordsDb) =>
      newestRevisionWith(db, project.tenantId, row_id, checksumOf(content)),
    );
    return known !== undefined && known >= version;
  }

  async function create(
    project: Project,
    template: TemplateDefinition,
    pushed: PushedEntity,
    author: Author,
  ): Promise<PushOutcome> {
    const text = newText(template, pushed, today());
    const path = await freePlace(project, template, pushed);
    const file = { entityId: pushed.entity_id, text, path };
    const write = () => entities.writeNew(project, template, file, author, BY_SYNC);
    // Locks are by id, but two entities could want the same folder.
    const row = await project.database.exclusive(`new entity ${project.projectId} ${folderOf(path)}`, write);
    return { kind: 'accepted', row };
  }

  /** The wanted path, or the next free one if its folder belongs to another entity. */
  async function freePlace(
    project: Project,
    template: TemplateDefinition,
    { entity_id: id, path }: Pick<PushedEntity, 'entity_id' | 'path'>,
  ): Promise<string> {
    const own = entityFilePath(template, id);
    const isFree = async (place: string): Promise<boolean> => {
      const folder = folderOf(place);
      return (
        (await project.database.read((db: RecordsDb) => findEntityFolderRow(db, project, folder))) ===
        undefined
      );
    };
    for (const place of path === undefined ? [own] : [path, own]) if (await isFree(place)) return place;
    for (let number = 2; ; number += 1) {
      const place = `${folderOf(own)}_${number}${own.slice(folderOf(own).length)}`;
      if (await isFree(place)) return place;
    }
  }

  async function change(
    project: Project,
    template: TemplateDefinition,
    { row: present, pushed }: { row: EntityRow; pushed: PushedEntity },
    { actor, autoMerge }: Pusher,
  ): Promise<PushOutcome> {
    const found: { conflict?: PushOutcome } = {};
    const { row } = await entities.changeHeld(project, template, present, { actor }, async (settled) => {
      if (saysTheSame(pushed, settled)) return null;
      const base = await findBase(project, settled.row, pushed);
      const text = editedText(template, pushed, base?.text ?? settled.text, today());
      if (text === settled.text || (await isSuperseded(project, { ...pushed, content: text }, settled.row)))
        return null;
      const merge = base && (await mergeTexts({ base: base.text, local: settled.text, remote: text }));
      const merged = merge?.clean === true && merge.structured ? merge.text : null;
      if (merged === settled.text) return null;
      if (base?.text === settled.text) return editTo(settled, text);
      if (merged !== null && autoMerge) return editTo(settled, merged);
      const record = await keepConflict(project, { settled, base, text, merge, actor });
      found.conflict = { kind: 'conflict', record, merge };
      return null;
    });
    return found.conflict ?? { kind: 'accepted', row };
  }

  const keepConflict = (project: Project, { settled, base, text, merge, actor }: Disputed) =>
    conflicts.keep(project, {
      row: settled.row,
      base: base && {
        version: base.info.version,
        text: base.text,
        updated_at: base.info.created_at,
        updated_by: base.info.created_by,
      },
      local: sideOfRow(settled.row, settled.text),
      remote: { version: null, text, updated_at: now(), updated_by: actor },
      conflicting_fields: [
        ...new Set(merge ? merge.conflicts.map(({ field }) => field) : changedParts(settled.text, text)),
      ],
      copyPath: null,
      isPushed: true,
    });

  /** An edit beats a deletion: an entity changed since the sender's version stays. */
  async function remove(
    project: Project,
    template: TemplateDefinition,
    pushed: PushedEntity,
    author: Author,
  ): Promise<PushOutcome> {
    const { entity_type: type, entity_id: id } = pushed;
    const row = await entities.alone(project, { entity_type: type, entity_id: id }, async () => {
      const present = await rowOf(project, pushed);
      if (present === undefined) return null;
      const options = { actor: author.actor };
      const settled = await entities.changeHeld(project, template, present, options, async (file) => {
        await requireSeen(project, pushed, file);
        return null;
      });
      return settled.row;
    });
    if (row === null) return { kind: 'accepted', row };
    await recycleBin.remove(project, type, id, {
      actor: author.actor,
      ifMatch: etagOf(row),
      keepFolder: pushed.keep_folder === true,
    });
    return { kind: 'accepted', row: null };
  }

  async function take(project: Project, pushed: PushedEntity, pusher: Pusher): Promise<PushOutcome> {
    const { entity_type: type, entity_id: id } = pushed;
    if (!isEntityId(id)) {
      throw invalid(`The id '${id}' must match ^[a-z0-9][a-z0-9_]{0,99}$ and must not be 'schema'`, {
        code: 'invalid_id',
      });
    }
    const template = await entities.templateOf(project, type);
    if (pushed.path !== undefined) entityPath(template, pushed.path);
    if (pushed.deleted) return remove(project, template, pushed, pusher);
    await bringBack(project, template, pushed, pusher);
    return entities.alone(project, { entity_type: type, entity_id: id }, async () => {
      const row = await rowOf(project, pushed);
      return row
        ? change(project, template, { row, pushed }, pusher)
        : create(project, template, pushed, pusher);
    });
  }

  return { take, bringBack };
}

export type PushEntity = ReturnType<typeof createPushEntity>;

/** 409 if the entity is not what the sender deleted. */
async function requireSeen(
  project: Project,
  pushed: PushedEntity,
  { row, text }: ReconciledFile,
): Promise<void> {
  const { entity_type: type, entity_id: id, version, base_path = row.path } = pushed;
  const base = await findBase(project, row, pushed);
  if (base?.text === text && base_path === row.path) return;
  throw conflict(
    `${type} '${id}' has changed since version ${version - 1} and was not deleted: delete it again once you have seen version ${row.version}`,
    { code: 'changed' },
  );
}

const editTo = ({ text }: ReconciledFile, next: string): Edit => ({
  next,
  changed: changedParts(text, next),
  origin: BY_SYNC,
});

/** By text, or without one by checksum. */
const saysTheSame = ({ content, checksum }: PushedEntity, { row, text }: ReconciledFile): boolean =>
  content === undefined ? checksum === row.checksum || checksum === row.file_checksum : content === text;
