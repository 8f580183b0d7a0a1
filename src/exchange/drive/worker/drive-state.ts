import type { Project } from '../../../world/records/index.ts';
import {
  countSynced,
  findRefused,
  type SyncDb,
  type SyncResult,
  type SyncStatus,
  shownKey,
  syncedProject,
} from '../../sync/index.ts';
import type { DriveSyncState } from '../drive-sync.ts';
import type { DriveItemsDb } from '../replica/drive-items.tables.ts';
import { countMissed } from './unseen.ts';

type Held = NonNullable<SyncResult['held']>;
type Refused = NonNullable<Awaited<ReturnType<typeof findRefused>>>;

const shownHeld = ({ where, deletions, of }: Held): string =>
  where === 'here'
    ? `${deletions} of ${of} entities and files are gone in the drive: they stay here until you force a sync to follow`
    : `${deletions} of ${of} entities and files are gone here: they stay in the drive until you force a sync to follow`;

const shownMissed = (count: number): string =>
  `${count} ${count === 1 ? 'file is' : 'files are'} no longer visible in the drive: nothing is deleted here; force a sync to write ${count === 1 ? 'it' : 'them'} there again`;

const shownRefused = ({ total, key, problem }: Refused): string =>
  `${total} ${total === 1 ? 'change waits' : 'changes wait'}, such as ${shownKey(key)}: ${problem}`;

/** The problems a user should know, the most important first; null if nothing is wrong. */
function problemOf(last: SyncResult | null, missed: number, refused: Refused | null): string | null {
  const problems = [
    ...(last?.error ? [last.error.message] : []),
    ...(last?.held ? [shownHeld(last.held)] : []),
    ...(refused ? [shownRefused(refused)] : []),
    ...(missed > 0 ? [shownMissed(missed)] : []),
  ];
  return problems.length === 0 ? null : problems.join('. ');
}

/** The state of a connected project's worker. */
export async function driveState(
  project: Project,
  { last, last_synced_at }: SyncStatus,
  running: boolean,
): Promise<DriveSyncState> {
  const { database } = project;
  const synced = syncedProject(project, 'drive');
  const { entities, files } = await database.read((db: SyncDb) => countSynced(db, synced));
  const refused = await database.read((db: SyncDb) => findRefused(db, synced));
  const missed = await database.read((db: DriveItemsDb) => countMissed(db, project));
  return {
    running,
    last_sync: last_synced_at,
    entities_synced: entities,
    assets_synced: files,
    last_error: problemOf(last, missed, refused),
  };
}
