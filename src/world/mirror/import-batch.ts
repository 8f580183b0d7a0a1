import { DatabaseError } from '../../platform/database/database.ts';
import { entityLock, type ImportOptions, type ImportOutcome, importFiles } from '../entities/index.ts';
import type { Project } from '../records/index.ts';
import type { ImportItem } from '../texts/index.ts';

/** So many files are taken in one by one, each under its entity's lock, so that a save under way ends first. */
const FEW = 20;

/**
 * Takes a batch in and tells `done` of each outcome. One file that the database refuses does not stop the others:
 * `refused` hears of it.
 */
export async function importBatch(
  project: Project,
  items: readonly ImportItem[],
  options: ImportOptions,
  listener: { done(outcome: ImportOutcome): void; refused(item: ImportItem, error: unknown): void },
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

/**
 * Takes files in whose ids cross, such as two that changed theirs for each other's, once all of a run are known: each id
 * ends at the file that says it.
 */
export async function importCrossing(
  project: Project,
  items: readonly ImportItem[],
  options: ImportOptions,
  listener: { done(outcome: ImportOutcome): void; refused(item: ImportItem, error: unknown): void },
): Promise<void> {
  if (items.length === 0) return;
  const settling = { ...options, settlesIds: true };
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
