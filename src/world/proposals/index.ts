export type { ChangeSets } from './change-sets/change-sets.service.ts';
export type {
  NewProposal,
  Proposal,
  ProposalFinding,
  ProposalOrigin,
  ProposalSource,
  ProposalSummary,
} from './proposal.ts';
export { proposalsModule } from './proposals.module.ts';
export type { Proposals } from './proposals.service.ts';
export { type AiSettingsService, createAiSettings, type Forbidden } from './settings/ai-settings.service.ts';
