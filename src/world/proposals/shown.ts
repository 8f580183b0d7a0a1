import type { Parts } from './parts.ts';
import type { CanonFinding, Proposal, ProposalFinding, ProposalOrigin, ProposalSummary } from './proposal.ts';
import type { PartState } from './proposals.contract.ts';
import type { FullRow, SummaryRow } from './proposals.store.ts';
import type { Content } from './proposed-text.ts';

export interface StoredFindings {
  findings: ProposalFinding[];
  canon_findings: CanonFinding[];
}

export const partsOf = ({ parts }: Pick<SummaryRow, 'parts'>): Parts => JSON.parse(parts);
type StoredOrigin = Omit<ProposalOrigin, 'skills' | 'sources' | 'parents'> &
  Pick<ProposalSummary, 'skills' | 'sources' | 'parents'>;
export const originIn = ({ origin }: Pick<SummaryRow, 'origin'>): StoredOrigin => JSON.parse(origin);
export const contentIn = ({ content }: Pick<FullRow, 'content'>): Content => JSON.parse(content);
const findingsIn = ({ findings }: SummaryRow): StoredFindings => JSON.parse(findings);

const statesOf = (parts: Parts[keyof Parts]): Record<string, PartState> =>
  Object.fromEntries(Object.entries(parts).map(([name, { state }]) => [name, state]));

export function summaryOf(row: SummaryRow): ProposalSummary {
  const { fields, hunks } = partsOf(row);
  return {
    proposal_id: row.proposal_id,
    change_set_id: row.change_set_id,
    entity_type: row.entity_type,
    entity_id: row.present_id ?? row.entity_id,
    base_version: row.base_version,
    status: row.status,
    field_states: statesOf(fields),
    hunk_states: statesOf(hunks),
    ...findingsIn(row),
    ...originIn(row),
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function proposalOf(row: FullRow): Proposal {
  const summary = summaryOf(row);
  const { fields, hunks } = contentIn(row);
  return {
    ...summary,
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        { ...field, state: summary.field_states[name] ?? 'open' },
      ]),
    ),
    markdown_body: hunks.map((hunk) => ({ ...hunk, state: summary.hunk_states[hunk.id] ?? 'open' })),
  };
}
