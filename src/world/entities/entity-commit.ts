import { conflict, HttpError } from '../../kit/errors.ts';
import type { FileStat } from '../../platform/files/files.ts';
import {
  changeEntities,
  type EntityRow,
  type EntityWrite,
  findEntityRow,
  findFiles,
  type Project,
  putEntities,
  putFiles,
  type RecordsDb,
  type StoredEntity,
  takeSequence,
} from '../records/index.ts';
import type { ChangeSource } from '../texts/index.ts';
import { entityFileRecord } from './entity-files.ts';

export interface Commit {
  write: EntityWrite;
  stat: FileStat;
  /** Called within the transaction (ISO), so that queries for changes since a time miss none. */
  now(): string;
}

/** The source of a change, and writes that share its transaction. */
export interface Origin {
  source: ChangeSource;
  operation_id: string | null;
  also(db: RecordsDb, stored: EntityRow): Promise<unknown>;
}

export const BY_API: Origin = { source: 'api', operation_id: null, also: async () => undefined };

const OVERTAKEN = 'changed_meanwhile';
const ATTEMPTS = 3;

export const overtaken = ({ entity_type, entity_id }: Pick<EntityRow, 'entity_type' | 'entity_id'>) =>
  conflict(`${entity_type} '${entity_id}' was changed at the same time: try again`, { code: OVERTAKEN });

/** Retries a change over the newer state after a concurrent one; the third error goes to the caller. */
export async function retryOvertaken<Result>(change: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change();
    } catch (error) {
      const isOvertaken = error instanceof HttpError && error.extras.code === OVERTAKEN;
      if (!isOvertaken || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The result of a save; without the reply's text if another process had already stored the row. */
export type Saved = Pick<StoredEntity, 'row'> & Partial<StoredEntity>;

/** If the sweep stored the same file first, its row is the result; after any other concurrent change 409. `also` runs in both cases. */
export function commitEntity(
  project: Project,
  commit: Commit,
  also: Origin['also'] = BY_API.also,
): Promise<Saved> {
  const { write, stat, now } = commit;
  const { state, previous } = write;
  return changeEntities(project, async (transaction) => {
    const { db } = transaction;
    const seq = await takeSequence(db, project, 2);
    const current = await findEntityRow(db, project, state.entity_type, state.entity_id);
    if (current && current.version !== previous?.version) {
      if (current.file_checksum !== state.file_checksum) throw overtaken(state);
      await also(db, current);
      return { row: current };
    }
    const [stored] = await putEntities(transaction, [write], seq);
    if (stored === undefined) throw new Error('putEntities returned no row');
    const record = entityFileRecord(stat, state.file_checksum, state);
    const before = await findFiles(db, project, [record.path]);
    await putFiles(db, project.database.dialect, project, [record], { before, firstSeq: seq + 1, at: now() });
    await also(db, stored.row);
    return stored;
  });
}
