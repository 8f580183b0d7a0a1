export { type AnswerSchema, answerSchema } from './answer-schema.ts';
export { buildContext } from './context/build-context.ts';
export { namedEntities } from './context/lookup.ts';
export * from './context/types.ts';
export { type Fence, fenceFor, fenceNotice } from './fence.ts';
export { fenced } from './fenced.ts';
export { applyHunks, type BodyHunk, bodyHunks, withLineBreaksOf } from './hunks.ts';
export { type AnswerChange, type ReadAnswer, readAnswer } from './read-answer.ts';
export type { AnswerProblem } from './schema-check.ts';
export {
  type AskedTarget,
  findTarget,
  isUnsaid,
  type Passage,
  type Target,
  type TargetEntity,
} from './target.ts';
export { mostTokensIn } from './tokens.ts';
export {
  expandVariables,
  UNKNOWN_VARIABLES,
  UnknownVariableError,
  type UnknownVariables,
  type Variable,
} from './variables.ts';
