import type { DriveError, DriveFile } from '../../../platform/drive/drive.ts';
import type { Change, Outcome } from '../../sync/index.ts';
import { applyFiles, OWN } from './apply-files.ts';
import { isDriveError } from './drive-failures.ts';
import { type DriveItem, findDriveItems, putDriveItems } from './drive-items.store.ts';
import type { DriveItemsDb } from './drive-items.tables.ts';
import { type DriveParts, read } from './drive-parts.ts';
import type { IdPool } from './id-pool.ts';
import { itemOfFile } from './item-of-file.ts';
import { ChangedHere } from './texts.ts';

/** Shared by the changes of one request. */
export interface PutParts extends DriveParts {
  ids: IdPool;
  /** Ids of folders by path. */
  folders: ReadonlyMap<string, string>;
  quota: Quota;
}

/** The state of the drive's storage limit during one request. */
export interface Quota {
  /** The first refusal: nothing more is sent after it. */
  full: DriveError | null;
  waiting: EntityOrFile[];
}

export type EntityOrFile = Change & { local: NonNullable<Change['local']> };

export const isKept = (change: Change): change is EntityOrFile => change.local !== undefined;

export const stored = (): Outcome => ({ kind: 'stored', version: 0 });
export const superseded = (isMerged: boolean): Outcome => ({ kind: 'superseded', isMerged });
export const refused = (reason: string): Outcome => ({ kind: 'refused', reason });
export const unsent = (): Outcome => ({ kind: 'unsent' });

/** The outcome of one failed change. Rethrows errors that stop the others too. */
export function outcomeOf(error: unknown): Outcome {
  if (isDriveError(error, 'forbidden', 'refused')) return refused(error.message);
  // The next changes of the drive say what became of it.
  if (error instanceof ChangedHere || isDriveError(error, 'not_found')) return unsent();
  throw error;
}

/**
 * Notes what the drive answered; path and key stay as they are unless somebody else moved the file. A note that a power cut loses is
 * made again: before each write its beginning was noted durably, and afterwards the drive is asked.
 */
export async function noteFile(
  parts: DriveParts,
  row: DriveItem,
  file: DriveFile,
  own: Partial<Pick<DriveItem, 'unwanted' | 'sha256'>> = {},
): Promise<DriveItem> {
  const { project } = parts;
  const { name, parent_id, trashed } = row;
  const next = { ...itemOfFile(file, row, row.pending), ...own };
  const noted = { ...next, name, parent_id, trashed };
  await project.database.write((db: DriveItemsDb) => putDriveItems(db, project, [noted]), { durable: false });
  if (next.name === name && next.parent_id === parent_id && next.trashed === trashed) return noted;
  await applyFiles(parts, [file], OWN);
  const [placed] = await read(parts, (db) => findDriveItems(db, project, [row.file_id]));
  return { ...noted, ...placed, ...own };
}
