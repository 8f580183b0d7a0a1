export { orAccepted } from './accepted.ts';
export { changesetsModule } from './changesets.module.ts';
export type { Changesets } from './changesets.service.ts';
export { readFileText } from './file-text.ts';
export type { ChangesetRequest } from './operation-runs.ts';
export type { Renames } from './rename.service.ts';
export type { OperationReport } from './report.ts';
export type { Step } from './step.ts';
export type { FollowStep } from './step-tools.ts';
