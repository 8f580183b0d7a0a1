import type { Proposal } from '../../../data/proposals.ts';

export type PartState = Proposal['fields'][string]['state'];

/** A field or a block of lines of a proposal, which is decided by itself. */
export type ProposedPart = {
  key: string;
  /** As the service names it. */
  name: string;
  state: PartState;
} & (
  | { kind: 'field'; before: unknown; after: unknown }
  | { kind: 'hunk'; line: number; before: string; after: string }
);

export const partsOf = ({ fields, markdown_body: hunks }: Proposal): ProposedPart[] => [
  ...Object.entries(fields).map(([name, { state, before, after }]) => ({
    key: `field ${name}`,
    kind: 'field' as const,
    name,
    state,
    before,
    after,
  })),
  ...hunks.map(({ id, ...hunk }) => ({ key: `hunk ${id}`, kind: 'hunk' as const, name: id, ...hunk })),
];
