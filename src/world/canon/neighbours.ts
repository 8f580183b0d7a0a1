import type { Project } from '../records/index.ts';
import type { EntityState } from '../texts/index.ts';
import type { CanonSource } from './canon.run.ts';
import { type NearRow, rowsOfIds, rowsReferringTo } from './neighbours.store.ts';

/** Entities read at most; no contradiction needs more than a few. */
const MOST = 400;
/** Places lie in places, and people have parents. */
const STEPS_OUT = 3;

type Source = CanonSource & { entity_id: string };

/** Targets of the drafts, entities that refer to the drafts or to the same targets, and the targets of all those in turn. */
export async function neighboursOf(
  project: Project,
  drafts: readonly { before: EntityState | null; after: EntityState }[],
): Promise<Source[]> {
  const states = drafts.flatMap(({ before, after }) => (before ? [before, after] : [after]));
  const ids = new Set(
    states.flatMap(({ entity_id, references }) => [entity_id, ...references.map(({ to_id }) => to_id)]),
  );
  const found = new Map<number, NearRow>();
  const add = (rows: readonly NearRow[]): NearRow[] => {
    const fresh = rows.filter(({ row_id }) => !found.has(row_id)).slice(0, MOST - found.size);
    for (const row of fresh) found.set(row.row_id, row);
    return fresh;
  };
  add(await rowsOfIds(project, [...ids].slice(0, MOST)));
  add(await rowsReferringTo(project, [...ids].slice(0, MOST), MOST));
  let last = [...found.values()];
  for (let step = 0; step < STEPS_OUT && last.length > 0 && found.size < MOST; step += 1) {
    const next = new Set(last.flatMap(({ targets }) => targets));
    last = add(await rowsOfIds(project, [...next].slice(0, MOST)));
  }
  return [...found.values()];
}
