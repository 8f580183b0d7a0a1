import { createPauses } from '../../../kit/pauses.ts';
import type { GuestFinding } from '../../../platform/guests/calls.ts';
import type { GuestError } from '../../../platform/guests/guests.ts';
import {
  changedFiles,
  findEntityRow,
  type Project,
  putFeedCursor,
  type RecordsDb,
  readFeed,
} from '../../records/index.ts';
import type { Attempts } from './attempts.ts';
import { checksReader } from './cursors.store.ts';
import { findEntityJson } from './entity-reads.store.ts';
import {
  type CheckedEntity,
  type FollowDb,
  removeOrphanedFindings,
  replaceFindings,
} from './findings.store.ts';
import type { CallGuests, CallOptions } from './guest-calls.ts';
import { hookDeadline } from './hook-deadlines.ts';
import type { GuestPlugin } from './running-plugins.ts';
import { type SliceEnd, startSlice } from './slices.ts';

export interface ChecksOptions {
  attempt: Attempts;
  calls: CallGuests;
}

/** Changes that are read at a time. */
const STEP = 100;

const CHECKING: CallOptions = {
  deadlineMs: hookDeadline('on-entity-validate'),
  author: { refusal: 'a check changes nothing' },
};

type ChangedFile = Awaited<ReturnType<typeof changesAfter>>[number];

/** Has plugins check every entity once for each version of theirs, then those that changed. */
export function createCheckFollower({ attempt, calls }: ChecksOptions) {
  /** `later` if it could not be checked now; null if there is nothing to check. */
  async function check(
    project: Project,
    plugin: GuestPlugin,
    { seq, entity_type: entityType, entity_id: id, ...file }: ChangedFile,
    signal: AbortSignal,
  ): Promise<CheckedEntity | 'later' | null> {
    const isEntity = file.entry_type === 'markdown' && file.deleted_at === null;
    if (!isEntity || entityType === null || id === null) return null;
    const row = await project.database.read((db: RecordsDb) => findEntityRow(db, project, entityType, id));
    const entity = await findEntityJson(project, entityType, id);
    if (row === undefined || entity === null) return null;
    const change = { entityType, id, entity, previous: null };
    const made = await attempt(project, plugin, { signal, about: `check ${seq}` }, (running) =>
      calls.call(project, running, 'on-entity-validate', [change], CHECKING),
    );
    if (made === null) return 'later';
    return { rowId: row.row_id, findings: made.result ?? notChecked(made.failure) };
  }

  return async (project: Project, plugin: GuestPlugin, signal: AbortSignal): Promise<SliceEnd> => {
    const reader = checksReader(plugin);
    const isOver = startSlice();
    const pause = createPauses();
    const { cursor } = await project.database.read((db: RecordsDb) => readFeed(db, project, reader));
    const files = await changesAfter(project, cursor);
    const checked: CheckedEntity[] = [];
    let passed = cursor;
    let end: SliceEnd = files.length < STEP ? 'done' : 'more';
    for (const file of files) {
      const outcome = await check(project, plugin, file, signal);
      if (outcome === 'later') {
        end = 'later';
        break;
      }
      if (outcome !== null) checked.push(outcome);
      passed = file.seq;
      await pause();
      if (isOver() && file !== files.at(-1)) {
        end = 'more';
        break;
      }
    }
    const hasDeleted = files.some(({ seq, deleted_at }) => deleted_at !== null && seq <= passed);
    if (passed > cursor) await store(project, plugin, { seq: passed, checked, hasDeleted });
    return end;
  };
}

const changesAfter = (project: Project, after: number) =>
  project.database.read((db: RecordsDb) =>
    changedFiles(db, project, after)
      .select(['seq', 'entity_type', 'entity_id', 'entry_type', 'deleted_at'])
      .limit(STEP)
      .execute(),
  );

/** A power cut may undo it as a whole, and then it is done again. */
const store = (
  project: Project,
  plugin: GuestPlugin,
  { seq, checked, hasDeleted }: { seq: number; checked: readonly CheckedEntity[]; hasDeleted: boolean },
): Promise<void> =>
  project.database.write(
    async (db: FollowDb) => {
      const component = { pluginId: plugin.folder.id, hash: plugin.hash };
      await replaceFindings(db, project, component, checked);
      if (hasDeleted) await removeOrphanedFindings(db, project, component.pluginId);
      await putFeedCursor(db, project.database.dialect, project, { reader: checksReader(plugin), seq });
    },
    { durable: false },
  );

/** An error that the guest returns is in its log. */
const notChecked = (failure: GuestError | null): GuestFinding[] =>
  failure?.isBreak
    ? [{ severity: 'warning', field: null, message: `This could not be checked: ${failure.message}` }]
    : [];
