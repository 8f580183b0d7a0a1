import type { Panel } from '../../../kit/host.ts';
import { fieldsOf, type RowChange } from './plan.ts';

export interface Outcome {
  change: RowChange;
  /** Null if it was saved. */
  error: string | null;
}

export interface ApplyOptions {
  call: Panel['call'];
  type: string;
  isStopped(): boolean;
  onProgress(done: number): void;
}

/** Saves entry by entry, until all are saved or somebody stops it. One that fails does not keep the others. */
export async function applyChanges(
  changes: readonly RowChange[],
  { call, type, isStopped, onProgress }: ApplyOptions,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const change of changes) {
    if (isStopped()) break;
    const error = await call('entities.update', {
      entity_type: type,
      entity_id: change.id,
      fields: fieldsOf(change),
      base_version: change.version,
    }).then(
      () => null,
      (reason: unknown) => (reason instanceof Error ? reason.message : String(reason)),
    );
    outcomes.push({ change, error });
    onProgress(outcomes.length);
  }
  return outcomes;
}
