import { inProject } from '../../../platform/database/scoped.ts';
import type { Project } from '../../records/index.ts';
import type { SummaryRow } from '../proposals.store.ts';
import type { ProposalsDb } from '../proposals.tables.ts';

/** Gives proposals to an operation, so that nobody else decides them while it runs. False if one was decided meanwhile. */
export const claimProposals = (
  project: Project,
  operationId: string,
  rows: readonly Pick<SummaryRow, 'proposal_id' | 'revision'>[],
): Promise<boolean> =>
  project.database.write(async (db: ProposalsDb) => {
    for (const { proposal_id, revision } of rows) {
      const { numUpdatedRows } = await inProject(db, project)
        .updateTable('proposals')
        .set({ operation_id: operationId, revision: revision + 1 })
        .where('proposal_id', '=', proposal_id)
        .where('revision', '=', revision)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) return false;
    }
    return true;
  });
