import type { Log } from '../../../kit/log.ts';
import type { Drive } from '../../../platform/drive/drive.ts';
import type { ConflictRecords } from '../../../world/conflict-records/index.ts';
import type { TemplateRegistry } from '../../../world/definitions/index.ts';
import type { Project } from '../../../world/records/index.ts';
import type { DriveItem } from './drive-items.store.ts';
import type { DriveItemsDb } from './drive-items.tables.ts';

/** The parts that a round with a drive needs. */
export interface DriveParts {
  project: Project;
  drive: Drive;
  /** The connected folder. */
  root: { folderId: string; name: string };
  templates: TemplateRegistry;
  conflicts: ConflictRecords;
  /** The user confirmed that much is missing there. */
  force: boolean;
  log: Log;
}

export const read = <Result>(
  { project }: Pick<DriveParts, 'project'>,
  query: (db: DriveItemsDb) => Promise<Result>,
): Promise<Result> => project.database.read(query);

export const write = <Result>(
  { project }: Pick<DriveParts, 'project'>,
  query: (db: DriveItemsDb) => Promise<Result>,
): Promise<Result> => project.database.write(query);

export const byId = (items: readonly DriveItem[]): Map<string, DriveItem> =>
  new Map(items.map((item) => [item.file_id, item]));
