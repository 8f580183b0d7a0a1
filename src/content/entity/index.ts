export { canonicalContent } from '../canonical.ts';
export { entityDataEdit } from './edit.ts';
export { isEntityId, nameFromId } from './ids.ts';
export { entityFromDocument } from './read.ts';
export * from './types.ts';
export { checkFieldsForWrite, type FieldProblem, newDocumentData } from './write.ts';
