import { conflict, type HttpError } from '../../kit/errors.ts';
import { type EntityRow, findRowById, type Project, type RecordsDb } from '../records/index.ts';
import { type Choice, decided, isEmpty, type Part, type Parts, partsIn, statusOf } from './parts.ts';
import { type FullRow, type ProposalChange, updateProposal } from './proposals.store.ts';
import type { ProposalsDb } from './proposals.tables.ts';
import { partsOf } from './shown.ts';

/** Parts that get a new state. */
export interface Settling {
  choice: Choice;
  part: Omit<Part, 'version' | 'at'> & { at: string };
}

/** The columns that a decision changes. */
export function changeOf(parts: Parts, at: string): ProposalChange {
  const isOpen = !isEmpty(partsIn(parts, 'open'));
  return { status: statusOf(parts), parts: JSON.stringify(parts), is_open: isOpen ? 1 : 0, updated_at: at };
}

/** Stores a decision in the transaction of the entity's change; an error takes that back. */
export const settledBy =
  (project: Project, row: FullRow, { choice, part }: Settling) =>
  async (db: RecordsDb, stored: EntityRow): Promise<void> => {
    const parts = decided(partsOf(row), choice, { ...part, version: stored.version });
    const change = { ...changeOf(parts, part.at), is_used: 1, row_id: stored.row_id, operation_id: null };
    await storeDecision(db as unknown as ProposalsDb, project, row, change);
  };

/** 409 if the proposal is no longer in the revision that the decision was made from. */
export async function storeDecision(
  db: ProposalsDb,
  project: Project,
  row: Pick<FullRow, 'proposal_id' | 'revision'>,
  change: ProposalChange,
): Promise<void> {
  if (!(await updateProposal(db, project, row, change))) throw changedMeanwhile();
}

/** The entity of a proposal whatever it is called now; 409 if it was deleted. */
export async function presentOf(
  project: Project,
  row: Pick<FullRow, 'row_id' | 'entity_type' | 'entity_id'>,
): Promise<EntityRow> {
  const present = await project.database.read((db: RecordsDb) => findRowById(db, project, row.row_id ?? 0));
  if (present) return present;
  throw conflict(`${row.entity_type} '${row.entity_id}' is gone: restore it from the recycle bin first`, {
    code: 'entity_gone',
  });
}

export const changedMeanwhile = (): HttpError =>
  conflict('The proposal was decided at the same time: read it again', { code: 'proposal_changed' });
