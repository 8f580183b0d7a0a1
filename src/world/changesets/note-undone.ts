import type { Project } from '../records/index.ts';
import type { OperationStatus } from './changesets.tables.ts';
import { findOperation, updateOperation } from './operations.store.ts';

/** The final status of an operation that reached its last step. */
export const endOf = (skipped: number): OperationStatus => (skipped === 0 ? 'done' : 'partial');

/** Marks a fully reverted operation as undone. If it was itself an undo, its target is in force again, and so on down the chain. */
export async function noteUndone(
  project: Project,
  target: string,
  by: string,
  isWhole: boolean,
): Promise<void> {
  await updateOperation(project, target, { undone_by: by, ...(isWhole && { status: 'undone' }) });
  if (!isWhole) return;
  let earlier = await findOperation(project, target);
  for (let holds = true; earlier?.undoes; holds = !holds) {
    const { operation_id, undoes, skipped } = earlier;
    const found = await findOperation(project, undoes);
    const wasWhole = skipped === 0;
    if (found && holds) {
      await updateOperation(project, undoes, { undone_by: null, status: endOf(found.skipped) });
    } else {
      await updateOperation(project, undoes, {
        undone_by: operation_id,
        ...(wasWhole && { status: 'undone' }),
      });
    }
    earlier = found;
  }
}
