import type { Project } from '../../records/index.ts';
import { type SummaryRow, updateProposal } from '../proposals.store.ts';
import type { ProposalsDb } from '../proposals.tables.ts';

/** Gives proposals to an operation, so that nobody else decides them while it runs. False if one was decided meanwhile. */
export const claimProposals = (
  project: Project,
  operationId: string,
  rows: readonly Pick<SummaryRow, 'proposal_id' | 'revision'>[],
): Promise<boolean> =>
  project.database.write(async (db: ProposalsDb) => {
    for (const row of rows)
      if (!(await updateProposal(db, project, row, { operation_id: operationId }))) return false;
    return true;
  });
