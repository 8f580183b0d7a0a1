import { isEntityId } from '../../../content/entity/index.ts';
import type { TemplateDefinition } from '../../../content/template/index.ts';
import { folderOf } from '../../../platform/files/paths.ts';
import { nameOf } from '../../../text/paths.ts';
import { tooLargeFile } from '../../../world/texts/index.ts';
import { isNeedless } from './doubles.ts';
import { isDriveError } from './drive-failures.ts';
import { type DriveItem, isEntitys } from './drive-items.store.ts';
import type { DriveParts } from './drive-parts.ts';
import { isMainFile, type Placed, type ReadItem, readEntity, specifiedOf } from './readable-item.ts';
import { bytesOf } from './texts.ts';

interface Neighbours {
  /** The visible markdown directly in the folder, with the file itself. */
  beside: readonly Placed[];
  /** The file that has the name here which this one has there. */
  older: DriveItem | undefined;
}

/** An entity's own file has its template. A needless file can go: an older one stands for the same. */
type Role = TemplateDefinition | 'file' | 'needless';

export async function roleOf(
  parts: DriveParts,
  row: Placed,
  { template, ...neighbours }: Neighbours & { template: TemplateDefinition | undefined },
): Promise<Role> {
  const { beside, older } = neighbours;
  const unreadable = template && (await unreadableRival(parts, row, template, neighbours));
  if (unreadable === undefined && (await isNeedless(parts, row, older))) return 'needless';
  const rivals = beside.filter(({ file_id }) => file_id !== unreadable?.file_id);
  return template && isMainFile(row, template, rivals) ? template : 'file';
}

/**
 * A file that has, or takes, the name of an entity's own file, but cannot be read. It is not here, so that the other one stays what it
 * is: taken for gone, the entity would be deleted everywhere.
 */
async function unreadableRival(
  parts: DriveParts,
  row: Placed,
  template: TemplateDefinition,
  { beside, older }: Neighbours,
): Promise<Placed | undefined> {
  const specified = specifiedOf(beside, template, nameOf(folderOf(row.path)));
  const rival = specified ?? beside.find(({ file_id }) => file_id === older?.file_id);
  if (!isEntitys(row) || rival === undefined || isEntitys(rival)) return undefined;
  const read = await readMain(parts, rival, template).catch((error: unknown) => {
    if (isDriveError(error, 'not_found', 'forbidden', 'refused')) return { problem: error.message };
    throw error;
  });
  return 'problem' in read ? rival : undefined;
}

export async function readMain(
  parts: DriveParts,
  row: Placed,
  template: TemplateDefinition,
): Promise<ReadItem> {
  const { largestText } = parts.project;
  if ((row.size ?? 0) > largestText) return { problem: tooLargeFile(row.size ?? 0, largestText).reason };
  const read = readEntity(template, row, await bytesOf(parts, row));
  if ('problem' in read || read.item.kind !== 'entity' || isEntityId(read.item.id)) return read;
  return { problem: `the id '${read.item.id}' must match ^[a-z0-9][a-z0-9_]{0,99}$` };
}
