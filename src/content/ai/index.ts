export { type AnswerSchema, answerSchema } from './answer-schema.ts';
export { countWords, type Kept, keptOfHunks, keptOfText, textOfValue } from './authorship.ts';
export { buildContext } from './context/build-context.ts';
export { namedEntities } from './context/lookup.ts';
export * from './context/types.ts';
export { extractJson } from './extract-json.ts';
export { type Fence, fenceFor, fenceNotice } from './fence.ts';
export { applyHunks, type BodyHunk, bodyHunks, withLineBreaksOf } from './hunks.ts';
export {
  type MappingProposal,
  type MappingQuestion,
  mappingProposals,
  mappingQuestion,
} from './mapping-question.ts';
export {
  type MergePart,
  type MergeQuestion,
  mergeProblems,
  mergeQuestion,
  type SettledPart,
  settledParts,
} from './merge-question.ts';
export { type AnswerChange, type ReadAnswer, readAnswer } from './read-answer.ts';
export { type AnswerProblem, checkSchema } from './schema-check.ts';
export { answeredTags, type DescribedFile, tagQuestion } from './tag-question.ts';
export {
  type AskedTarget,
  findTarget,
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
