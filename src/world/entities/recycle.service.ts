import { decodeUtf8, textOfAnyBytes } from '../../content/frontmatter/index.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { checksumOf } from '../../kit/crypto.ts';
import { conflict, HttpError, invalid, notFound } from '../../kit/errors.ts';
import type { HeaderValue } from '../../kit/http/etag.ts';
import { newId } from '../../kit/ids.ts';
import type { FileStat, FolderEntry } from '../../platform/files/files.ts';
import { ifGone } from '../../platform/files/if-gone.ts';
import {
  buryFiles,
  changeEntities,
  countIncoming,
  countRecycleItems,
  deleteRecycleItem,
  deleteRevisions,
  type Edge,
  type EntityRow,
  findEntityFolderRow,
  findEntityRow,
  findFilesBelow,
  findRecycleItem,
  incomingEdges,
  insertRecycleItem,
  insertUnreadableText,
  listRecycleItems,
  type Project,
  type RecordsDb,
  type RecycleRow,
  readRevision,
  removeEntities,
  storedFileText,
  takeSequence,
} from '../records/index.ts';
import { type EntityState, LOOSE_BINS, readEntityFile } from '../texts/index.ts';
import type { Author } from './author.ts';
import type { Entities } from './entities.service.ts';
import { commitEntity, type Origin, type Saved } from './entity-commit.ts';
import { idChangedOutside } from './entity-files.ts';
import { entityLock } from './entity-lock.ts';
import { inRoom } from './entity-room.ts';
import { requireMatch } from './etag.ts';
import { publishDraft } from './publish-draft.ts';
import { folderOf, recycleFolderOf, recycleRowOf } from './recycle-item.ts';

const NAMED_REFERRERS = 50;

export interface Removed {
  item: RecycleRow;
  referrers: { total: number; references: Edge[] };
}

interface RestoreOptions {
  place?: (item: RecycleRow) => Promise<string>;
  overDamaged?: boolean;
}

interface RestoredFile {
  state: EntityState;
  stat: FileStat | undefined;
  damaged: { bytes: Uint8Array; replacement: string } | null;
}

export type RecycleBin = ReturnType<typeof createRecycleBin>;

export function createRecycleBin({ entities, clock }: { entities: Entities; clock: Clock }) {
  const now = () => isoTime(clock.now());
  const others: ((project: Project) => Promise<number>)[] = [];

  /** Returns the first free bin folder: a rebuilt database may have used the name before. */
  async function freeFolder(project: Project, row: EntityRow): Promise<string> {
    const wanted = recycleFolderOf(row);
    for (let attempt = 1; ; attempt += 1) {
      const folder = attempt === 1 ? wanted : `${wanted}-${attempt}`;
      const taken = await project.files.list(folder).catch(() => null);
      if (taken === null) return folder;
    }
  }

  /** Returns the bin folder of an interrupted deletion; null if there is none. */
  async function leftFolder(project: Project, row: EntityRow): Promise<string | null> {
    const folder = recycleFolderOf(row);
    return project.files.list(folder).then(
      () => folder,
      () => null,
    );
  }

  /** Returns the file's text, or its last readable one. 409 if the file is another entity's by now. */
  async function textOf(project: Project, row: EntityRow): Promise<string> {
    const bytes = await project.files.read(row.path).catch(() => null);
    const decoded = bytes && decodeUtf8(bytes);
    if (bytes === null || !decoded?.ok)
      return (await project.database.read((db: RecordsDb) => storedFileText(db, row.row_id))) ?? '';
    const file = { path: row.path, text: decoded.text, checksum: checksumOf(bytes) };
    if (file.checksum !== row.file_checksum) await requireOwnId(project, row, file);
    return decoded.text;
  }

  async function requireOwnId(
    project: Project,
    row: EntityRow,
    file: Parameters<typeof readEntityFile>[1],
  ): Promise<void> {
    const template = (await entities.typesOf(project)).get(row.entity_type);
    const read = template && readEntityFile(template, file);
    if (read?.ok && read.state.entity_id !== row.entity_id) throw idChangedOutside(row, read.state.entity_id);
  }

  /**
   * Moves the folder with its assets to the bin and returns the references to it. With `keepFolder`, for a folder that becomes another
   * entity's, only its own file moves.
   */
  function remove(
    project: Project,
    entityType: string,
    entityId: string,
    options: { actor: string; ifMatch?: HeaderValue; also?: Origin['also']; keepFolder?: boolean },
  ): Promise<Removed> {
    return project.database.exclusive(entityLock(project, entityType, entityId), async () => {
      const row = await entities.findRow(project, entityType, entityId);
      requireMatch(options.ifMatch, row);
      const referrers = await referrersOf(project, row);
      const content = await textOf(project, row);
      const original = folderOf(row.path);
      const isThere = (await project.files.stat(row.path)) !== undefined;
      const folder = isThere ? await freeFolder(project, row) : await leftFolder(project, row);
      const kept = options.keepFolder ? row.path.slice(original.length) : '';
      const isMoved = isThere && folder !== null;
      const item = await publishDraft({
        async put() {
          if (isMoved) await project.files.move(original + kept, folder + kept);
          return recycleRowOf(row, { itemId: newId(), folder, content, at: now(), actor: options.actor });
        },
        async store(recycled) {
          await changeEntities(project, async (transaction) => {
            const { db } = transaction;
            const below = await findFilesBelow(db, project, original);
            const gone = options.keepFolder ? below.filter(({ path }) => path === row.path) : below;
            const firstSeq = await takeSequence(db, project, gone.length + 1);
            await insertRecycleItem(db, recycled);
            await removeEntities(transaction, [row], options.actor);
            await buryFiles(db, project.database.dialect, gone, { firstSeq, at: now() });
            await options.also?.(db, row);
          });
          return recycled;
        },
        putBack: async () => isMoved && project.files.move(folder + kept, original + kept),
      });
      await entities.followTargets(project, { added: [], removed: [row] });
      return { item, referrers };
    });
  }

  async function find(project: Project, itemId: string): Promise<RecycleRow> {
    const item = await project.database.read((db: RecordsDb) => findRecycleItem(db, project, itemId));
    if (item) return item;
    throw notFound('There is no such item in the recycle bin', { code: 'no_such_item' });
  }

  /** Under the item's lock; 404 if it was restored or purged meanwhile. */
  async function withItem<Result>(
    project: Project,
    itemId: string,
    work: (item: RecycleRow) => Promise<Result>,
  ): Promise<Result> {
    const { entity_type, entity_id } = await find(project, itemId);
    return project.database.exclusive(entityLock(project, entity_type, entity_id), async () =>
      work(await find(project, itemId)),
    );
  }

  /** The file's own text, or with `overDamaged` the last readable version of an unreadable file. */
  async function textToRestore(
    project: Project,
    template: TemplateDefinition,
    item: RecycleRow,
    path: string,
    overDamaged: boolean,
  ): Promise<RestoredFile> {
    const bytes = await project.files.read(path);
    const own = readBytes(template, path, bytes);
    if (own.ok) return { state: own.state, stat: await project.files.stat(path), damaged: null };
    const last = overDamaged ? await readRevision(project, item.row_id, item.version) : undefined;
    const read = last && readBytes(template, path, Buffer.from(last.text));
    if (last === undefined || !read?.ok)
      throw invalid(`${item.path} cannot be read in the recycle bin: fix it there, then restore it`, {
        code: 'unreadable_file',
      });
    const stat = await project.files.write(path, last.text, { onlyOver: bytes });
    return { state: read.state, stat, damaged: { bytes, replacement: last.text } };
  }

  /**
   * Puts the folder back where it was, or its file at `place`. 409 if the id or the folder is in use, 422 for an unreadable file,
   * unless `overDamaged` restores the last readable version; the damaged text then goes to the revisions.
   */
  function restore(
    project: Project,
    itemId: string,
    author: Author,
    { place = async ({ path }) => path, overDamaged = false }: RestoreOptions = {},
  ): Promise<EntityRow> {
    const restoreInRoom = async (item: RecycleRow): Promise<EntityRow> => {
      const path = await place(item);
      const template = await entities.templateOf(project, item.entity_type);
      const inUse = await project.database.read((db: RecordsDb) =>
        findEntityRow(db, project, item.entity_type, item.entity_id),
      );
      if (inUse)
        throw conflict(`${item.entity_type} '${item.entity_id}' exists again: rename or delete it first`, {
          code: 'id_in_use',
        });
      const moved = await putBack(project, item, path);
      let damaged: RestoredFile['damaged'] = null;
      let saved: Saved;
      try {
        const restored = await textToRestore(project, template, item, path, overDamaged);
        const { state, stat } = restored;
        damaged = restored.damaged;
        if (stat === undefined) throw conflict(`${path} was moved away meanwhile: try again`);
        const at = now();
        const record = JSON.parse(item.record) as EntityRow;
        saved = await commitEntity(
          project,
          {
            write: {
              state,
              previous: null,
              rowId: item.row_id,
              changed: [],
              stamp: {
                version: item.version + (damaged ? 2 : 1),
                created_at: record.created_at,
                updated_at: at,
                updated_by: author.actor,
                source: 'api',
              },
            },
            stat,
            now,
          },
          async (db, stored) => {
            if (restored.damaged !== null)
              await insertUnreadableText(db, stored, {
                version: item.version + 1,
                checksum: checksumOf(restored.damaged.bytes),
                content: textOfAnyBytes(restored.damaged.bytes),
                at,
              });
            await deleteRecycleItem(db, project, itemId);
          },
        );
      } catch (error) {
        if (damaged !== null) {
          const onlyOver = Buffer.from(damaged.replacement);
          await project.files.write(path, damaged.bytes, { onlyOver }).catch(() => {});
        }
        await moved.undo().catch(() => {});
        throw error;
      }
      await entities.followTargets(project, { added: [saved.row], removed: [] });
      return saved.row;
    };
    return withItem(project, itemId, (item) =>
      inRoom(project, { plan: author.plan, more: 1 }, () => restoreInRoom(item)),
    );
  }

  /** Brings the folder back, or the file alone if its folder has other files; writes the kept text if the folder was deleted outside. */
  async function putBack(
    project: Project,
    { folder, path, content }: RecycleRow,
    to: string,
  ): Promise<{ undo(): Promise<void> }> {
    const target = folderOf(to);
    const holder = await project.database.read((db: RecordsDb) => findEntityFolderRow(db, project, target));
    if (holder) {
      throw conflict(`${target} is the folder of ${holder.entity_type} '${holder.entity_id}' by now`, {
        code: 'folder_in_use',
      });
    }
    if (folder === null || (await entriesOf(project, folder)) === null) {
      await project.files.write(to, content, { ifAbsent: true });
      return { undo: () => project.files.removeOnly(to, Buffer.from(content)) };
    }
    const isFree = (await entriesOf(project, target)) === null;
    const back = isFree ? target : to;
    const from = isFree ? folder : folder + path.slice(folderOf(path).length);
    await project.files.move(from, back);
    return { undo: () => project.files.move(back, from) };
  }

  /** Removes an item and its folder for good. If the folder cannot be removed, the item stays. */
  function purge(project: Project, itemId: string): Promise<void> {
    return withItem(project, itemId, async ({ folder, row_id }) => {
      if (folder !== null) await project.files.remove(folder).catch(ifGone);
      await project.database.write(async (db: RecordsDb) => {
        await deleteRecycleItem(db, project, itemId);
        await deleteRevisions(db, project.tenantId, [row_id]);
      });
    });
  }

  async function list(project: Project, limit: number, offset: number) {
    return project.database.read(async (db: RecordsDb) => ({
      total: await countRecycleItems(db, project),
      items: await listRecycleItems(db, project, limit, offset),
    }));
  }

  /** Resolves to the number of removed items: 0 if it was restored or purged meanwhile. */
  const purgeIfThere = (project: Project, itemId: string): Promise<number> =>
    purge(project, itemId).then(
      () => 1,
      (error: unknown) => {
        if (error instanceof HttpError && error.status === 404) return 0;
        throw error;
      },
    );

  async function empty(project: Project): Promise<number> {
    let purged = 0;
    for (;;) {
      const { items } = await list(project, 100, 0);
      if (items.length === 0) break;
      for (const { item_id } of items) purged += await purgeIfThere(project, item_id);
    }
    for (const emptyOther of others) purged += await emptyOther(project);
    for (const folder of LOOSE_BINS) purged += await emptyFolder(project, folder);
    return purged;
  }

  return {
    remove,
    restore,
    purge,
    list,
    empty,
    /** Registers what else emptying the bin removes; resolves to the number of items. */
    onEmptied: (emptyOther: (project: Project) => Promise<number>) => void others.push(emptyOther),
  };
}

function readBytes(template: TemplateDefinition, path: string, bytes: Uint8Array) {
  const decoded = decodeUtf8(bytes);
  return decoded.ok
    ? readEntityFile(template, { path, text: decoded.text, checksum: checksumOf(bytes) })
    : decoded;
}

const referrersOf = (project: Project, row: EntityRow): Promise<Removed['referrers']> =>
  project.database.read(async (db: RecordsDb) => ({
    total: await countIncoming(db, project, row),
    references: await incomingEdges(db, project, row, { after: null, limit: NAMED_REFERRERS }),
  }));

async function emptyFolder(project: Project, folder: string): Promise<number> {
  const entries = (await project.files.list(folder).catch(ifGone)) ?? [];
  for (const { name } of entries) await project.files.remove(`${folder}/${name}`).catch(ifGone);
  return entries.length;
}

const entriesOf = (project: Project, folder: string): Promise<FolderEntry[] | null> =>
  project.files.list(folder).catch(() => null);
