export { linesOfReferences } from './lines.ts';
export { referencesOf } from './references.ts';
export {
  idFromName,
  idsToResolve,
  type ReferenceState,
  type Resolution,
  resolveReference,
} from './resolve.ts';
export { type ReferenceChange, rewriteReferences } from './rewrite.ts';
export type * from './types.ts';
