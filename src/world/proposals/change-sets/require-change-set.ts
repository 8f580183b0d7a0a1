import { notFound } from '../../../kit/errors.ts';
import type { Project } from '../../records/index.ts';
import type { ProposalStatus } from '../proposals.contract.ts';
import type { ChangeSetRow } from '../proposals.tables.ts';
import { type Counts, countsOfSets, findChangeSet } from './change-sets.store.ts';

/** Proposals that a change set may hold. */
export const MOST_IN_SET = 500;

export interface ChangeSet extends Omit<ChangeSetRow, 'tenant_id' | 'project_id'> {
  status: ProposalStatus;
  /** Proposals by status. */
  counts: Record<ProposalStatus, number>;
}

const NONE: Record<ProposalStatus, number> = {
  pending: 0,
  partly_accepted: 0,
  accepted: 0,
  rejected: 0,
  undone: 0,
};

/** As of a proposal whose parts are its proposals. */
function statusOf({
  pending,
  partly_accepted,
  accepted,
  rejected,
  undone,
}: ChangeSet['counts']): ProposalStatus {
  if (partly_accepted + accepted > 0)
    return pending + partly_accepted + rejected + undone === 0 ? 'accepted' : 'partly_accepted';
  if (pending > 0 || rejected + undone === 0) return 'pending';
  return undone > 0 ? 'undone' : 'rejected';
}

export function changeSetOf(row: ChangeSetRow, given: Counts | undefined): ChangeSet {
  const { tenant_id: _, project_id: __, ...shown } = row;
  const counts = { ...NONE, ...given };
  return { ...shown, status: statusOf(counts), counts };
}

export async function requireChangeSet(project: Project, changeSetId: string): Promise<ChangeSet> {
  const row = await findChangeSet(project, changeSetId);
  if (row === undefined) throw notFound('There is no such change set', { code: 'no_such_change_set' });
  return changeSetOf(row, (await countsOfSets(project, [changeSetId])).get(changeSetId));
}
