import { createChecker } from '../../kit/http/validation.ts';
import type { Log } from '../../kit/log.ts';
import { FilesError } from '../../platform/files/files.ts';
import { ifGone } from '../../platform/files/if-gone.ts';
import { Conflict } from '../../world/conflicts/conflicts.contract.ts';
import type { Project } from '../../world/records/index.ts';
import type { CloudDb } from './cloud.tables.ts';
import type { ConflictRecord } from './cloud-port.ts';
import { findConflict, type KeptConflict, keepConflicts, openConflicts } from './conflicts.store.ts';

/** Beside the installation's own conflict files. */
const ROOT = '.canonry/conflicts';
const NAME = /^cloud-([0-9a-f-]{36})\.json$/;
const pathOf = (conflictId: string): string => `${ROOT}/cloud-${conflictId}.json`;

const checkRecord = createChecker(Conflict);

const isOpen = ({ status, answer }: KeptConflict): boolean => status === 'unresolved' && answer === null;

/**
 * Reconciles rows and files of the cloud's open conflicts: both sides of each are kept in a file too, from which a rebuilt
 * database restores the rows. The next pull brings their status.
 */
export async function settleConflictFiles(project: Project, log: Log): Promise<void> {
  const entries = (await project.files.list(ROOT).catch(ifGone)) ?? [];
  const there = new Set(entries.flatMap(({ name }) => NAME.exec(name)?.[1] ?? []));
  for (const id of there) {
    const known = await project.database.read((db: CloudDb) => findConflict(db, project, id));
    if (known === undefined) await readBack(project, id, log);
    else if (!isOpen(known)) await project.files.remove(pathOf(id)).catch(ifGone);
  }
  const open = await project.database.read((db: CloudDb) => openConflicts(db, project));
  for (const { conflict_id: id, entity_type, entity_id, record } of open) {
    if (there.has(id) || !NAME.test(`cloud-${id}.json`)) continue;
    await project.files.write(pathOf(id), `${JSON.stringify(JSON.parse(record), null, 2)}\n`);
    log.info(
      `${entity_type} '${entity_id}' has a conflict with the cloud: both sides are kept in ${pathOf(id)} until it is resolved`,
    );
  }
}

async function readBack(project: Project, conflictId: string, log: Log): Promise<void> {
  const bytes = await project.files.read(pathOf(conflictId)).catch((error: unknown) => {
    if (error instanceof FilesError) return new Uint8Array();
    throw error;
  });
  const record = recordIn(bytes);
  if (record?.conflict_id !== conflictId) {
    log.warn(`${pathOf(conflictId)} cannot be read as a conflict, and is left as it is`);
    return;
  }
  const { dialect } = project.database;
  await project.database.write((db: CloudDb) => keepConflicts(db, dialect, project, [record]));
}

function recordIn(bytes: Uint8Array): ConflictRecord | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return checkRecord(value) === null ? (value as ConflictRecord) : undefined;
  } catch {
    return undefined;
  }
}
