export { orAccepted } from './accepted.ts';
export { changesetsModule } from './changesets.module.ts';
export type { ChangesetRequest, Changesets } from './changesets.service.ts';
export { readFileText } from './file-text.ts';
export type { Renames } from './rename.service.ts';
export type { OperationReport } from './report.ts';
export type { Step } from './step.ts';
