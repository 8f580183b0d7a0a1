export {
  type AskedIdentity,
  intoFileOf,
  newFileOf,
  reportOfStanding,
  type StandingText,
  standingText,
} from './as-it-stands.ts';
export { type AsideColumn, type AsideColumns, createAsideColumns } from './aside-columns.ts';
export { type AskedTypes, createTypeChoices, type TypeChoices } from './asked-types.ts';
export { createAttachments } from './attachments.ts';
export { type ImportedText, importedText } from './document.ts';
export { type Draft, draftOf } from './draft.ts';
export {
  type AskedMapping,
  addTarget,
  createIdentifier,
  type Identified,
  type NotIdentified,
} from './identify.ts';
export { type ExistingMode, intoExisting } from './into-existing.ts';
export { formatOfPath, formatOfText, readSource } from './read.ts';
export { createTargets, type Targets } from './targets.ts';
export { addToTotals, type ImportAction, type ImportTotals, noTotals, refuseKeys } from './totals.ts';
export type * from './types.ts';
export { idFromName } from './words.ts';
