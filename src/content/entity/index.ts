export { canonicalContent } from '../canonical.ts';
export { readName } from './attributes.ts';
export { entityDataEdit, keyBefore } from './edit.ts';
export { isEntityId, nameFromId } from './ids.ts';
export { withWholeMaps } from './merge-maps.ts';
export { questionsOf } from './questions.ts';
export { entityFromDocument } from './read.ts';
export * from './types.ts';
export { checkFieldsForWrite, type FieldProblem, newDocumentData } from './write.ts';
