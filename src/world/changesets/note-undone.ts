import type { Project } from '../records/index.ts';
import type { OperationStatus } from './changesets.tables.ts';
import { findOperation, updateOperation } from './operations.store.ts';

/** How an operation ended that went through to its last step. */
export const endOf = (skipped: number): OperationStatus => (skipped === 0 ? 'done' : 'partial');

/**
 * An operation is undone when all of it was taken back. What it had itself taken back holds again then, what that had
 * taken back does not, and so on.
 */
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
