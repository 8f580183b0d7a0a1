export { aiCallerOf, requireAiCaller } from './ai-caller.ts';
export { type AnswerText, answerText, type OnDelta } from './answer-text.ts';
export { askWithRepair } from './ask-with-repair.ts';
export { type AskedModel, askedModel } from './asked-model.ts';
export { installationProvider } from './installation-provider.ts';
export { modelsModule } from './models.module.ts';
export type * from './models.ts';
export { type Asking, askQuestion, mostTokensOf, type Question, showQuestion } from './question.ts';
