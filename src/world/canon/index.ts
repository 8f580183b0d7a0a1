export { type PlacedFinding, placed } from './canon.lines.ts';
export { canonModule } from './canon.module.ts';
export { type CanonProblem, type CanonSource, checkCanon } from './canon.run.ts';
export type { Canon } from './canon.service.ts';
export { countsOf, sortOut } from './canon.tally.ts';
export { type CanonDraft, canonOfDraft, canonOfDrafts } from './canon-drafts.ts';
export { readSettingsFile } from './canon-settings.service.ts';
