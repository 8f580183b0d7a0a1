import { createPauses } from '../../../kit/pauses.ts';
import type { GuestCallName, GuestEntityChange } from '../../../platform/guests/calls.ts';
import { GuestError } from '../../../platform/guests/guests.ts';
import type { Entities } from '../../entities/index.ts';
import {
  changedFiles,
  eventsAfter,
  findEntityRow,
  logEnd,
  type Project,
  putFeedCursor,
  type RecordsDb,
  readFeed,
} from '../../records/index.ts';
import type { PluginsDb } from '../plugin-states.store.ts';
import { cursorPrefix, removeCursors } from './cursors.store.ts';
import { findEntityJson } from './entity-reads.store.ts';
import { removeFindings, replaceFindings } from './findings.store.ts';
import type { CallGuests, CallOptions } from './guest-calls.ts';
import { hookDeadline } from './hook-deadlines.ts';
import type { GuestPlugin, GuestPlugins } from './running-plugins.ts';
import { lastStateOf } from './stored-entity.ts';

export interface FollowOptions {
  guestPlugins: GuestPlugins;
  calls: CallGuests;
  entities: Entities;
  /** Aborts when the service stops: there may be an hour of work left, which the next start goes on with. */
  signal: AbortSignal;
}

/** Changes that are read at a time. */
const STEP = 100;

const eventsReader = (pluginId: string): string => `${cursorPrefix(pluginId)}events`;
const checksReader = ({ folder, hash }: GuestPlugin): string =>
  `${cursorPrefix(folder.id)}checks ${hash.slice(0, 16)}`;

/** Nobody asked for the change but the plugin itself. A plan limits nothing of a change. */
const asPlugin = ({ folder }: GuestPlugin, name: GuestCallName): CallOptions => ({
  deadlineMs: hookDeadline(name),
  author: { actor: `plugin:${folder.id}`, plan: 'free' },
});

interface EntityEvent {
  type: string;
  entity_type: string;
  entity_id: string;
  action: 'create' | 'update' | 'delete' | 'restore';
}

/**
 * Tells guests what happened, whichever way it came: saves, files, imports, other installations. Each plugin goes on from cursors of its
 * own, so that a crash repeats a call and loses none. What it finds wrong is stored, and never refuses a file.
 */
export function createChangeFollower({ guestPlugins, calls, entities, signal }: FollowOptions) {
  const mayRead = {
    deadlineMs: hookDeadline('on-entity-validate'),
    author: { refusal: 'a check changes nothing' },
  };

  /** A failure is in the plugin's log. False if the plugin is not to be called again now. */
  async function tell(
    project: Project,
    plugin: GuestPlugin,
    name: Extract<GuestCallName, 'on-entity-create' | 'on-entity-delete'>,
    change: GuestEntityChange,
  ): Promise<boolean> {
    return calls.call(project, plugin, name, [change], asPlugin(plugin, name)).then(
      () => true,
      (error: unknown) => {
        if (error instanceof GuestError) return !error.isBreak;
        throw error;
      },
    );
  }

  const moveCursor = (project: Project, reader: string, seq: number): Promise<void> =>
    project.database.write(
      (db: RecordsDb) => putFeedCursor(db, project.database.dialect, project, { reader, seq }),
      { durable: false },
    );

  /** From the moment that the plugin began, which it is told first. */
  async function followEvents(project: Project, plugin: GuestPlugin): Promise<boolean> {
    const reader = eventsReader(plugin.folder.id);
    const { cursor } = await project.database.read((db: RecordsDb) => readFeed(db, project, reader));
    if (cursor === 0) {
      const { seq } = await project.database.read((db: RecordsDb) => logEnd(db, project));
      const about = JSON.stringify({ id: project.projectId, name: project.projectId });
      const options = asPlugin(plugin, 'on-project-init');
      await calls.call(project, plugin, 'on-project-init', [about], options).catch(ignoreFailure);
      await moveCursor(project, reader, Math.max(seq, 1));
      return true;
    }
    const events = await project.database.read((db: RecordsDb) => eventsAfter(db, project, cursor, STEP));
    for (const { seq, body } of events) {
      if (signal.aborted) return false;
      const change = body === null ? null : await changeOf(project, JSON.parse(body) as EntityEvent);
      if (change !== null && !(await tell(project, plugin, change.name, change.change))) return false;
      await moveCursor(project, reader, seq);
    }
    return events.length < STEP || followEvents(project, plugin);
  }

  async function changeOf(project: Project, event: EntityEvent) {
    if (event.type !== 'entity_updated') return null;
    const { entity_type: entityType, entity_id: id, action } = event;
    if (action === 'create') {
      const entity = await findEntityJson(project, entityType, id);
      return entity === null ? null : told('on-entity-create', { entityType, id, entity, previous: null });
    }
    if (action !== 'delete') return null;
    const entity = await lastStateOf(entities, project, event);
    return entity === null ? null : told('on-entity-delete', { entityType, id, entity, previous: null });
  }

  /** Of every entity once for each version of the plugin, then of those that changed. */
  async function check(project: Project, plugin: GuestPlugin): Promise<void> {
    const reader = checksReader(plugin);
    const pause = createPauses();
    for (;;) {
      const { cursor } = await project.database.read((db: RecordsDb) => readFeed(db, project, reader));
      const rows = await project.database.read((db: RecordsDb) =>
        changedFiles(db, project, cursor)
          .select(['seq', 'entity_type', 'entity_id', 'entry_type', 'deleted_at'])
          .limit(STEP)
          .execute(),
      );
      for (const row of rows) {
        if (signal.aborted) return;
        const isEntity = row.entry_type === 'markdown' && row.deleted_at === null;
        if (isEntity && row.entity_type !== null && row.entity_id !== null)
          if (!(await checkOne(project, plugin, row.entity_type, row.entity_id))) return;
        await pause();
      }
      const last = rows.at(-1)?.seq;
      if (last !== undefined) await moveCursor(project, reader, last);
      if (rows.length < STEP) return;
    }
  }

  async function checkOne(
    project: Project,
    plugin: GuestPlugin,
    entityType: string,
    id: string,
  ): Promise<boolean> {
    const row = await project.database.read((db: RecordsDb) => findEntityRow(db, project, entityType, id));
    const entity = row && (await findEntityJson(project, entityType, id));
    if (row === undefined || entity === null || entity === undefined) return true;
    try {
      const change = { entityType, id, entity, previous: null };
      const findings = await calls.call(project, plugin, 'on-entity-validate', [change], mayRead);
      const place = { pluginId: plugin.folder.id, rowId: row.row_id };
      await project.database.write((db: PluginsDb) => replaceFindings(db, project, place, findings), {
        durable: false,
      });
      return true;
    } catch (error) {
      if (error instanceof GuestError) return !error.isBreak;
      throw error;
    }
  }

  async function followOne(project: Project, plugin: GuestPlugin): Promise<void> {
    if (!(await calls.offers(project, plugin, 'hooks'))) return;
    if (!(await followEvents(project, plugin))) return;
    await check(project, plugin);
    const { id } = plugin.folder;
    const kept = [eventsReader(id), checksReader(plugin)];
    await project.database.write((db: RecordsDb) => removeCursors(db, project, id, kept));
  }

  return {
    /** One process at a time. */
    async follow(project: Project): Promise<void> {
      const plugins = await guestPlugins.of(project);
      for (const plugin of plugins) {
        if (signal.aborted) return;
        await project.database.ifFree(
          `plugin guest of ${project.projectId} ${plugin.folder.id}`,
          () => followOne(project, plugin),
          async () => undefined,
        );
      }
    },

    /** A plugin that does not run any more begins anew if it runs again. */
    async forget(project: Project, pluginId: string): Promise<void> {
      await project.database.write((db: RecordsDb) => removeCursors(db, project, pluginId));
      await project.database.write((db: PluginsDb) => removeFindings(db, project, pluginId));
    },
  };
}

export type ChangeFollower = ReturnType<typeof createChangeFollower>;

const told = (name: 'on-entity-create' | 'on-entity-delete', change: GuestEntityChange) => ({ name, change });

const ignoreFailure = (error: unknown): null => {
  if (error instanceof GuestError) return null;
  throw error;
};
