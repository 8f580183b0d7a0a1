export interface Change {
  what: 'created' | 'changed' | 'deleted';
  at: string;
  by: string | null;
  operation_id: string | null;
}

/** Changes that belong together, newest first: one, or many that were made at one go. */
export interface Run<C extends Change> {
  changes: readonly [C, ...C[]];
}

export interface Day<C extends Change> {
  /** Midnight where the user is, in milliseconds. */
  start: number;
  runs: readonly Run<C>[];
}

const AT_ONE_GO_MS = 60_000;
/** Fewer stand for themselves. */
const FEWEST_IN_A_RUN = 4;

/** Newest first, in days of the user's own time. */
export function daysOf<C extends Change>(changes: readonly C[]): Day<C>[] {
  const days = Map.groupBy(changes, ({ at }) => new Date(at).setHours(0, 0, 0, 0));
  return [...days].map(([start, own]) => ({ start, runs: runsOf(own) }));
}

function runsOf<C extends Change>(changes: readonly C[]): Run<C>[] {
  const runs: [C, ...C[]][] = [];
  for (const change of changes) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && belongTogether(last, change)) run.push(change);
    else runs.push([change]);
  }
  return runs.flatMap((run) =>
    run.length < FEWEST_IN_A_RUN ? run.map((change): Run<C> => ({ changes: [change] })) : [{ changes: run }],
  );
}

function belongTogether(later: Change, earlier: Change): boolean {
  if (later.operation_id !== null || earlier.operation_id !== null)
    return later.operation_id === earlier.operation_id;
  const isAtOneGo = Date.parse(later.at) - Date.parse(earlier.at) < AT_ONE_GO_MS;
  return isAtOneGo && later.by === earlier.by && later.what === earlier.what;
}
