import { mergeDocuments } from '../../../content/merge/index.ts';
import { isoDate } from '../../../kit/clock.ts';
import { conflict } from '../../../kit/errors.ts';
import type { Step } from '../../changesets/index.ts';
import { type Project, unpackText } from '../../records/index.ts';
import { type AcceptOptions, partNames, requireValues, withNames } from '../accept.service.ts';
import { type Choice, partsIn, union } from '../parts.ts';
import { type FullRow, findProposal, type SummaryRow } from '../proposals.store.ts';
import { stamped, textWith } from '../proposed-text.ts';
import { changedMeanwhile } from '../settle.ts';
import { contentIn, partsOf } from '../shown.ts';
import { claimProposals } from './claim.store.ts';

export type PlanOptions = Pick<AcceptOptions, 'entities' | 'requireAllowed' | 'clock'>;

/** Several proposals about one entity are one step. */
type Group = readonly SummaryRow[];

const groupsOf = (rows: readonly SummaryRow[]): Group[] => [
  ...Map.groupBy(rows, (row) => `${row.entity_type}/${row.row_id ?? row.entity_id}`).values(),
];

/** Plans the acceptance of proposals as steps of one operation. */
export function createPlan({ entities, requireAllowed, clock }: PlanOptions) {
  async function load(project: Project, proposalId: string): Promise<FullRow> {
    const row = await findProposal(project, proposalId);
    if (row) return row;
    throw changedMeanwhile();
  }

  async function textsOf(project: Project, row: FullRow): Promise<{ base: string; text: string }> {
    const template = await entities.templateOf(project, row.entity_type);
    const parts = partsOf(row);
    const content = contentIn(row);
    const base = await unpackText(row.base, null);
    const accepted = partsIn(parts, 'accepted');
    const open = withNames(partsIn(parts, 'open'), parts, row);
    const text = (choice: Choice) => textWith(template, base, content, choice);
    return {
      base: text(accepted),
      text: text(union(accepted, open)),
    };
  }

  /** One step for an entity, whatever number of proposals it has. */
  async function stepOf(project: Project, group: Group): Promise<Step | null> {
    let merged: { base: string; text: string } | null = null;
    let first: FullRow | null = null;
    for (const { proposal_id } of group) {
      const row = await load(project, proposal_id);
      const next = await textsOf(project, row);
      first ??= row;
      merged = merged === null ? next : { base: merged.base, text: both(merged.text, next, row) };
    }
    if (first === null || merged === null) return null;
    const { entity_type, entity_id, present_id, row_id } = first;
    const name = { entity_type, entity_id: present_id ?? entity_id };
    if (row_id === null) return { kind: 'create', ...name, text: merged.text };
    const text = stamped(merged.text, isoDate(clock.now()));
    return { kind: 'write', ...name, base: merged.base, text };
  }

  return {
    /** 409 and 422 for what could not be accepted alone either; asked before anything changes. */
    async require(project: Project, rows: readonly SummaryRow[]): Promise<void> {
      for (const { proposal_id } of rows) {
        const row = await load(project, proposal_id);
        const open = partsIn(partsOf(row), 'open');
        const template = await entities.templateOf(project, row.entity_type);
        await requireAllowed(project, row.entity_type, partNames(open));
        requireValues(template, contentIn(row), open);
      }
    },

    /** Each step's proposals belong to the operation before the step is stored. */
    async *steps(project: Project, operationId: string, rows: readonly SummaryRow[]): AsyncGenerator<Step> {
      for (const group of groupsOf(rows)) {
        if (!(await claimProposals(project, operationId, group))) throw changedMeanwhile();
        const step = await stepOf(project, group);
        if (step !== null) yield step;
      }
    },
  };
}

export type Plan = ReturnType<typeof createPlan>;

function both(local: string, { base, text }: { base: string; text: string }, row: FullRow): string {
  const merged = mergeDocuments(base, local, text);
  if (merged.clean && merged.structured) return merged.text;
  const fields = [...new Set(merged.conflicts.map(({ field }) => field))].join(', ');
  throw conflict(
    `Two proposals of the change set affect ${fields} of ${row.entity_type} '${row.entity_id}': accept one of them first, or reject it`,
    { code: 'proposals_overlap' },
  );
}
