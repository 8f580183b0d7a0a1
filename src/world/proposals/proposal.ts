import type { BodyHunk } from '../../content/ai/index.ts';
import type { Usage } from '../../platform/llm/llm.ts';
import type { PartState, ProposalStatus } from './proposals.contract.ts';

/** Something that an answer was made from: shown beside the proposal. */
export interface ProposalSource {
  kind: 'template' | 'rules' | 'skill' | 'entity' | 'canon' | 'instruction';
  /** A path, `type/id`, or a skill's id. */
  ref: string;
  label: string;
}

/** How a proposal came about; kept with what was accepted of it. */
export interface ProposalOrigin {
  /** `generate`, `refine`, `fill`, `chat`, `agent`, `smart_merge`, … */
  kind: string;
  /** Null if no provider was asked, as for an agent's change. */
  provider: string | null;
  model: string | null;
  /** For agents: the client's name. */
  agent: string | null;
  skills: readonly string[];
  /** SHA-256 of the messages sent; null if none were. */
  prompt_hash: string | null;
  instruction: string | null;
  sources: readonly ProposalSource[];
  usage: Usage | null;
  credits: number;
  /** Proposals that were combined into this one, or that it refines. */
  parents: readonly string[];
}

export interface ProposalFinding {
  /** A field, `markdown_body`, or null for the whole. */
  field: string | null;
  severity: 'error' | 'warning' | 'info';
  message: string;
}

export interface NewProposal {
  entity_type: string;
  entity_id: string;
  /** The version that the proposal was made from; null proposes a new entity. */
  base_version: number | null;
  /** Values after the change, by top-level field; `name` and `status` too. Null removes a key. */
  fields: Readonly<Record<string, unknown>>;
  /** The whole body after the change; null leaves it as it is. */
  markdown_body: string | null;
  origin: ProposalOrigin;
  /** Faults that the maker found and could not repair; rules and canon are checked again when it is stored. */
  findings: readonly ProposalFinding[];
  change_set_id: string | null;
}

export interface ProposedField {
  /** As the base version's file says it; null if it does not. */
  before: unknown;
  after: unknown;
}

/** A contradiction of story time that the proposal would bring; `evidence` names every side of it. */
export interface CanonFinding {
  finding_id: string;
  kind: string;
  severity: ProposalFinding['severity'];
  message: string;
  evidence: {
    entity_type: string;
    entity_id: string;
    name: string;
    field: string;
    value: unknown;
  }[];
}

/** A proposal without the texts, as lists show it. */
export interface ProposalSummary extends Omit<ProposalOrigin, 'skills' | 'sources' | 'parents'> {
  proposal_id: string;
  change_set_id: string | null;
  entity_type: string;
  /** The present id, also after a rename. */
  entity_id: string;
  base_version: number | null;
  status: ProposalStatus;
  field_states: Record<string, PartState>;
  hunk_states: Record<string, PartState>;
  findings: ProposalFinding[];
  canon_findings: CanonFinding[];
  skills: string[];
  sources: ProposalSource[];
  parents: string[];
  created_by: string;
  created_at: string;
  updated_at: string;
}

export interface Proposal extends ProposalSummary {
  fields: Record<string, ProposedField & { state: PartState }>;
  /** Blocks of lines of the body; none if it stays as it is. */
  markdown_body: (BodyHunk & { state: PartState })[];
}
