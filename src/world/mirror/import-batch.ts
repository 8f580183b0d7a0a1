import { DatabaseError } from '../../platform/database/database.ts';
import { entityLock, type ImportOptions, type ImportOutcome, importFiles } from '../entities/index.ts';
import type { Project } from '../records/index.ts';
import type { ImportItem } from '../texts/index.ts';

/** Up to this many files are imported one by one, each under its entity's lock, so that a running save ends first. */
const FEW = 20;

interface ImportListener {
  done(outcome: ImportOutcome): void;
  refused(item: ImportItem, error: unknown): void;
}

/** Calls `done` with each outcome. A file that the database refuses goes to `refused` and does not stop the others. */
export async function importBatch(
  project: Project,
  items: readonly ImportItem[],
  options: ImportOptions,
  listener: ImportListener,
): Promise<void> {
  if (items.length === 0) return;
  const entities = items.filter((item) => item.state !== null);
  if (entities.length > FEW) {
    try {
      listener.done(await importFiles(project, items, options));
      return;
    } catch (error) {
      if (error instanceof DatabaseError) throw error;
    }
  } else {
    const others = items.filter((item) => item.state === null);
    if (others.length > 0) listener.done(await importFiles(project, others, options));
  }
  const rest = entities.length > FEW ? items : entities;
  for (const item of rest) {
    try {
      listener.done(await importOne(project, item, options));
    } catch (error) {
      if (error instanceof DatabaseError) throw error;
      listener.refused(item, error);
    }
  }
}

/** Imports files with crossing ids, such as two that swapped theirs, once all are known: each id ends at the file that has it. */
export async function importCrossing(
  project: Project,
  items: readonly ImportItem[],
  options: ImportOptions,
  listener: ImportListener,
): Promise<void> {
  const settling = { ...options, resolvesIds: true };
  const locks = items.flatMap(({ state }) =>
    state ? [entityLock(project, state.entity_type, state.entity_id)] : [],
  );
  const work = () => importFiles(project, items, settling);
  try {
    listener.done(await (items.length > FEW ? work() : holding(project, [...new Set(locks)].sort(), work)));
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    await importBatch(project, items, settling, listener);
  }
}

const holding = <Result>(
  project: Project,
  [lock, ...locks]: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> =>
  lock === undefined ? work() : project.database.exclusive(lock, () => holding(project, locks, work));

function importOne(project: Project, item: ImportItem, options: ImportOptions): Promise<ImportOutcome> {
  const { state } = item;
  if (state === null) return importFiles(project, [item], options);
  return project.database.exclusive(entityLock(project, state.entity_type, state.entity_id), () =>
    importFiles(project, [item], options),
  );
}
