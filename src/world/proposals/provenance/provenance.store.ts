import { inProject } from '../../../platform/database/scoped.ts';
import type { Project } from '../../records/index.ts';
import type { ProposalRow, ProposalsDb } from '../proposals.tables.ts';

/** The newest so many proposals of an entity are looked at. */
const MOST = 200;

export type UsedRow = Pick<
  ProposalRow,
  'proposal_id' | 'change_set_id' | 'parts' | 'origin' | 'content' | 'base'
>;

/** Proposals of which something was accepted, the newest first. */
export const usedProposals = (project: Project, rowId: number): Promise<UsedRow[]> =>
  project.database.read((db: ProposalsDb) =>
    inProject(db, project)
      .selectFrom('proposals')
      .select(['proposal_id', 'change_set_id', 'parts', 'origin', 'content', 'base'])
      .where('row_id', '=', rowId)
      .where('is_used', '=', 1)
      .orderBy('updated_at', 'desc')
      .limit(MOST)
      .execute(),
  );

/** Living entities with such proposals, in the order of their row ids. */
export const entitiesWithProposals = (project: Project, after: number, limit: number) =>
  project.database.read((db: ProposalsDb) =>
    inProject(db, project)
      .selectFrom('entities')
      .select(['row_id', 'entity_type', 'entity_id', 'name', 'path', 'version'])
      .where('row_id', '>', after)
      .where(
        'row_id',
        'in',
        inProject(db, project)
          .selectFrom('proposals')
          .select('row_id')
          .where('is_used', '=', 1)
          .where('row_id', '>', after)
          .$castTo<{ row_id: number }>(),
      )
      .orderBy('row_id')
      .limit(limit)
      .execute(),
  );
