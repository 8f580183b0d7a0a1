import type { GuestCallName, GuestEntityChange } from '../../../platform/guests/calls.ts';
import type { Entities } from '../../entities/index.ts';
import {
  eventsAfter,
  lastSequence,
  type Project,
  putFeedCursor,
  type RecordsDb,
  readFeed,
} from '../../records/index.ts';
import type { Attempts } from './attempts.ts';
import { begunReader, eventsReader } from './cursors.store.ts';
import { findEntityJson } from './entity-reads.store.ts';
import type { CallGuests, CallOptions } from './guest-calls.ts';
import { hookDeadline } from './hook-deadlines.ts';
import { toldEvent } from './news.ts';
import type { GuestPlugin } from './running-plugins.ts';
import { type SliceEnd, startSlice } from './slices.ts';
import { lastStateOf } from './stored-entity.ts';

export interface EventsOptions {
  attempt: Attempts;
  calls: CallGuests;
  entities: Entities;
}

/** Events that are read at a time. */
const STEP = 100;

interface Told {
  name: 'on-entity-create' | 'on-entity-delete';
  change: GuestEntityChange;
}

/** Nobody asked for the change but the plugin itself. A plan limits nothing of a change. */
const asPlugin = ({ folder }: GuestPlugin, name: GuestCallName): CallOptions => ({
  deadlineMs: hookDeadline(name),
  author: { actor: `plugin:${folder.id}`, plan: 'free' },
});

/** Tells plugins what was made and deleted, from the moment that they began, of which they are told first. */
export function createEventFollower({ attempt, calls, entities }: EventsOptions) {
  const cursorOf = async (project: Project, reader: string): Promise<number> =>
    (await project.database.read((db: RecordsDb) => readFeed(db, project, reader))).cursor;

  const moveCursor = (project: Project, reader: string, seq: number): Promise<void> =>
    project.database.write(
      (db: RecordsDb) => putFeedCursor(db, project.database.dialect, project, { reader, seq }),
      { durable: false },
    );

  /** False if the plugin could not be told yet. What happens meanwhile it hears afterwards. */
  async function begin(project: Project, plugin: GuestPlugin, signal: AbortSignal): Promise<boolean> {
    if ((await cursorOf(project, begunReader(plugin))) > 0) return true;
    const seq = await project.database.read((db: RecordsDb) => lastSequence(db, project));
    const present = Math.max(seq, 1);
    if ((await cursorOf(project, eventsReader(plugin))) === 0)
      await moveCursor(project, eventsReader(plugin), present);
    const about = JSON.stringify({ id: project.projectId, name: project.projectId });
    const name = 'on-project-init';
    const told = await attempt(project, plugin, { signal, about: name }, (running) =>
      calls.call(project, running, name, [about], asPlugin(running, name)),
    );
    if (told === null) return false;
    await moveCursor(project, begunReader(plugin), present);
    return true;
  }

  async function toldOf(project: Project, body: string | null): Promise<Told | null> {
    const event = body === null ? null : toldEvent(body);
    if (event === null) return null;
    const { entity_type: entityType, entity_id: id, action } = event;
    const entity =
      action === 'create'
        ? await findEntityJson(project, entityType, id)
        : await lastStateOf(entities, project, event);
    if (entity === null) return null;
    return { name: `on-entity-${action}`, change: { entityType, id, entity, previous: null } };
  }

  return async (project: Project, plugin: GuestPlugin, signal: AbortSignal): Promise<SliceEnd> => {
    if (!(await begin(project, plugin, signal))) return 'later';
    const reader = eventsReader(plugin);
    const isOver = startSlice();
    const cursor = await cursorOf(project, reader);
    const events = await project.database.read((db: RecordsDb) => eventsAfter(db, project, cursor, STEP));
    let passed = cursor;
    let end: SliceEnd = events.length < STEP ? 'done' : 'more';
    for (const { seq, body } of events) {
      const told = await toldOf(project, body);
      if (told !== null) {
        const { name, change } = told;
        const made = await attempt(project, plugin, { signal, about: `${name} ${seq}` }, (running) =>
          calls.call(project, running, name, [change], asPlugin(running, name)),
        );
        if (made === null) {
          end = 'later';
          break;
        }
        // Now, so that a crash repeats no other call.
        await moveCursor(project, reader, seq);
      }
      passed = seq;
      if (isOver()) {
        end = 'more';
        break;
      }
    }
    if (passed > cursor) await moveCursor(project, reader, passed);
    return end;
  };
}
