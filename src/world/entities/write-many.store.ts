import { type Clock, isoTime } from '../../kit/clock.ts';
import {
  changeEntities,
  type EntityRow,
  type EntityWrite,
  findEntityRows,
  findFiles,
  type Project,
  putEntities,
  putFiles,
  type RecordsDb,
  recycledAmong,
  takeSequence,
} from '../records/index.ts';
import type { ChangeSource } from '../texts/index.ts';
import type { Author } from './author.ts';
import { entityFileRecord } from './entity-files.ts';
import { keyOf } from './file-import-plan.ts';
import type { BatchOrigin, TextWrite, WrittenFile } from './text-write.ts';

export interface Known {
  rows: ReadonlyMap<string, EntityRow>;
  recycled: ReadonlySet<string>;
}

type Name = { type: string; id: string };

export const knownOf = (project: Project, writes: readonly TextWrite[]): Promise<Known> =>
  project.database.read(async (db: RecordsDb) => {
    const names = writes.map(({ template, entityId }) => ({ type: template.entity_type, id: entityId }));
    const recycled = new Set<string>();
    for (const [type, ids] of idsByType(names)) {
      for (const id of await recycledAmong(db, project, type, ids)) recycled.add(keyOf(type, id));
    }
    return { rows: await rowsOf(db, project, names), recycled };
  });

async function rowsOf(
  db: RecordsDb,
  project: Project,
  names: readonly Name[],
): Promise<Map<string, EntityRow>> {
  const rows = new Map<string, EntityRow>();
  for (const [type, ids] of idsByType(names)) {
    for (const row of await findEntityRows(db, project, type, ids)) rows.set(keyOf(type, row.entity_id), row);
  }
  return rows;
}

const idsByType = (names: readonly Name[]): Map<string, string[]> =>
  new Map(
    [...Map.groupBy(names, ({ type }) => type)].map(([type, group]) => [type, group.map(({ id }) => id)]),
  );

/** Stores the entities of written files in one transaction. A row that changed meanwhile stays; with the very same file it is the result. */
export const storeMany = (
  project: Project,
  files: readonly WrittenFile[],
  { author, origin, clock }: { author: Author; origin: BatchOrigin; clock: Clock },
): Promise<Map<WrittenFile, EntityRow>> =>
  files.length === 0
    ? Promise.resolve(new Map())
    : changeEntities(
        project,
        async (transaction) => {
          const { db } = transaction;
          const { dialect } = project.database;
          const firstSeq = await takeSequence(db, project, files.length * 2);
          const names = files.map(({ state }) => ({ type: state.entity_type, id: state.entity_id }));
          const current = await rowsOf(db, project, names);
          const currentOf = ({ state }: WrittenFile) =>
            current.get(keyOf(state.entity_type, state.entity_id));
          const fresh = files.filter((file) => currentOf(file)?.version === file.previous?.version);
          const at = isoTime(clock.now());
          const writes = fresh.map((file) => entityWriteOf(file, { author, source: origin.source, at }));
          const entities = writes.length > 0 ? await putEntities(transaction, writes, firstSeq) : [];
          const records = fresh.map(({ stat, state }) => entityFileRecord(stat, state.file_checksum, state));
          const before = await findFiles(
            db,
            project,
            records.map(({ path }) => path),
          );
          if (records.length > 0)
            await putFiles(db, dialect, project, records, { before, firstSeq: firstSeq + files.length, at });
          const stored = new Map<WrittenFile, EntityRow>();
          for (const [index, file] of fresh.entries()) {
            const entity = entities[index];
            if (entity) stored.set(file, entity.row);
          }
          for (const file of files) {
            const row = currentOf(file);
            if (!stored.has(file) && row?.file_checksum === file.state.file_checksum) stored.set(file, row);
          }
          await origin.also?.(
            db,
            [...stored.keys()].map(({ write }) => write),
          );
          return stored;
        },
        { durable: origin.durable ?? true },
      );

const entityWriteOf = (
  { state, previous, changed }: WrittenFile,
  { author, source, at }: { author: Author; source: ChangeSource; at: string },
): EntityWrite => ({
  state,
  previous,
  changed,
  stamp: {
    version: (previous?.version ?? 0) + 1,
    created_at: previous?.created_at ?? at,
    updated_at: at,
    updated_by: author.actor,
    source,
  },
});
