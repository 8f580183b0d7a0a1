import { ifGone } from '../../platform/files/if-gone.ts';
import { folderOf } from '../../world/entities/index.ts';
import { SAMPLE_LIST } from '../../world/projects/index.ts';
import { type EntityRow, findEntityFolderRow, type Project } from '../../world/records/index.ts';
import { digitsOf } from './checksums.ts';
import type { SyncedItem } from './items.store.ts';
import { namedKey, type SyncKey } from './keys.ts';
import type { LocalItem } from './local-tree.ts';
import type { HeldSample } from './sync.contract.ts';
import type { SyncDb } from './sync.tables.ts';

export const SAMPLE_WAITS =
  'part of the sample world: it stays here until you edit it, or send all by a forced push';

const HASH = /^[0-9a-f]{64}(?= )/gm;

/** Empty if the content folder was not filled with the sample world. */
export async function sampleHashes({ files }: Project): Promise<ReadonlySet<string>> {
  const bytes = await files.read(SAMPLE_LIST).catch(ifGone);
  return new Set(bytes && new TextDecoder().decode(bytes).match(HASH));
}

/**
 * True if the item is unchanged from the sample world and never reached the replica. A picture counts as touched with the
 * entity it belongs to.
 */
export async function isUntouchedSample(
  db: SyncDb,
  project: Project,
  { sha256, sent }: SyncedItem,
  local: LocalItem | undefined,
  sample: ReadonlySet<string>,
): Promise<boolean> {
  if (local === undefined || sha256 !== null || sent !== null || !sample.has(local.sha256)) return false;
  if (local.row !== null) return true;
  const owner = await ownerOf(db, project, local.path);
  return owner === undefined || sample.has(digitsOf(owner.file_checksum));
}

/** The entity in whose folder the file lies, however deep. */
async function ownerOf(db: SyncDb, project: Project, path: string): Promise<EntityRow | undefined> {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const folder = path.slice(0, end);
    const row = await findEntityFolderRow(db, project, folder);
    if (row && folderOf(row.path) === folder) return row;
  }
  return undefined;
}

export function heldSample(keys: readonly SyncKey[]): HeldSample | null {
  if (keys.length === 0) return null;
  const entities: Record<string, number> = {};
  let files = 0;
  for (const name of keys.map(namedKey)) {
    if (name.kind === 'entity') entities[name.type] = (entities[name.type] ?? 0) + 1;
    else files += 1;
  }
  return { entities, files };
}
