import { type Clock, isoTime } from '../../../kit/clock.ts';
import type { FollowStep } from '../../changesets/index.ts';
import { decided, type Part, type Parts, partsIn, partsWhere } from '../parts.ts';
import { proposalsOfOperation } from '../proposals.store.ts';
import type { ProposalsDb } from '../proposals.tables.ts';
import { changeOf, storeDecision } from '../settle.ts';
import { partsOf } from '../shown.ts';

/**
 * Marks proposals in the transaction of the step that applies them, takes them back or applies them again. So each operation does it
 * exactly once, also one that is resumed after a crash.
 */
export const createFollow =
  (clock: Clock): FollowStep =>
  async (given, project, operation, entity) => {
    const isOwn = operation.kind === 'ai';
    const before = isOwn ? operation.operation_id : operation.undoes;
    if (before === null) return;
    const db = given as unknown as ProposalsDb;
    const at = isoTime(clock.now());
    const by = { by: operation.created_by, at, version: entity.version, operation: operation.operation_id };
    for (const row of await proposalsOfOperation(db, project, before, entity)) {
      const parts = isOwn ? accepted(partsOf(row), by) : turned(partsOf(row), before, by);
      const change = {
        ...changeOf(parts, at),
        is_used: 1,
        row_id: entity.row_id,
        operation_id: operation.operation_id,
      };
      await storeDecision(db, project, row, change);
    }
  };

type By = Omit<Part, 'state'>;

const accepted = (parts: Parts, by: By): Parts =>
  decided(parts, partsIn(parts, 'open'), { state: 'accepted', ...by });

/** Parts that the operation had accepted are undone, and parts that it had undone are accepted again. */
function turned(parts: Parts, operation: string, by: By): Parts {
  const own = (state: Part['state']) =>
    partsWhere(parts, (part) => part.state === state && part.operation === operation);
  const undone = decided(parts, own('accepted'), { state: 'undone', ...by });
  return decided(undone, own('undone'), { state: 'accepted', ...by });
}
