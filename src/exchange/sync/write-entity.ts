import type { PlanName } from '../../access/plans.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { conflict } from '../../kit/errors.ts';
import {
  type Author,
  changedParts,
  type Entities,
  etagOf,
  type Origin,
  type RecycleBin,
} from '../../world/entities/index.ts';
import { findEntityRow, type RecordsDb } from '../../world/records/index.ts';
import { entityPath } from '../replication/index.ts';
import { digitsOf } from './checksums.ts';
import { agreedItem, nextStep } from './item-state.ts';
import { dropItems, putItems, type SyncedItem } from './items.store.ts';
import type { SyncKey } from './keys.ts';
import type { LocalItem } from './local-tree.ts';
import { otherBytes, type RemoteEntity } from './replica.ts';
import type { SyncDb } from './sync.tables.ts';
import type { SyncedProject } from './synced-project.ts';
import { createWritePlain, type WritePlainOptions } from './write-plain.ts';

export interface WriteEntityOptions extends Omit<WritePlainOptions, 'authorOf'> {
  entities: Entities;
  recycleBin: RecycleBin;
  planOf(tenantId: string): PlanName;
}

/** Thrown if something changed here just as the replica's version was to be written. */
export const changedHere = (name: string) =>
  conflict(`${name} was changed here meanwhile: that is sent first`, { code: 'changed_here' });

/** Writes entities as the replica has them, never over a text the replica has not seen. */
export function createEntityWriter(options: WriteEntityOptions) {
  const { entities, recycleBin, planOf } = options;
  /** The sync state is stored in the entity's transaction. */
  const originOf = (project: SyncedProject, item: RemoteEntity): Origin => ({
    source: 'sync',
    operation_id: null,
    also: (db) => putItems(db as SyncDb, project, [agreedItem(item)]),
  });

  const authorOf = (project: SyncedProject, item: RemoteEntity): Author => ({
    actor: item.updatedBy ?? project.replica,
    plan: planOf(project.tenantId),
  });

  async function write(
    project: SyncedProject,
    item: RemoteEntity,
    synced: SyncedItem | undefined,
  ): Promise<void> {
    const { type, id, content } = item;
    if (sha256Hex(content) !== item.sha256) throw otherBytes(item.path);
    const template = await entities.templateOf(project.whole, type);
    const path = entityPath(template, item.path);
    const author = authorOf(project, item);
    const origin = originOf(project, item);
    await entities.alone(project.whole, { entity_type: type, entity_id: id }, async () => {
      const row = await project.database.read((db: RecordsDb) => findEntityRow(db, project.whole, type, id));
      if (row === undefined) {
        const file = { entityId: id, text: content, path };
        return void (await entities.writeNew(project.whole, template, file, author, origin));
      }
      await entities.changeHeld(
        project.whole,
        template,
        row,
        { actor: author.actor },
        async ({ row: known, text }) => {
          const isThere = known.path === path;
          const sha256 = digitsOf(known.file_checksum);
          if (isThere && sha256 === item.sha256) {
            await project.database.write(async (db: RecordsDb) => origin.also(db, known));
            return null;
          }
          if (!isThere || nextStep(synced, { sha256, path }, item) !== 'pull')
            throw changedHere(`${type} '${id}'`);
          return { next: content, changed: changedParts(text, content), origin };
        },
      );
    });
  }

  /** Moves it to the recycle bin; throws if it changed since `local` was read. */
  async function remove(
    project: SyncedProject,
    key: SyncKey,
    { row }: LocalItem,
    { keepFolder }: { keepFolder: boolean },
  ): Promise<void> {
    if (row === null) return;
    await recycleBin.remove(project.whole, row.entity_type, row.entity_id, {
      actor: project.replica,
      ifMatch: etagOf(row),
      keepFolder,
      also: (db) => dropItems(db as SyncDb, project, [key]),
    });
  }

  return { write, writePlain: createWritePlain({ ...options, authorOf }), remove };
}

export type EntityWriter = ReturnType<typeof createEntityWriter>;
