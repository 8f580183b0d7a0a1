export { aiCallerOf, requireAiCaller } from './ai-caller.ts';
export { type AnswerText, answerText } from './answer-text.ts';
export { askStructured, type StructuredAnswer, type StructuredQuestion } from './ask-structured.ts';
export { installationProvider } from './installation-provider.ts';
export { aiNotConfigured, aiOff } from './model-errors.ts';
export { modelsModule } from './models.module.ts';
export type * from './models.ts';
export { type Asking, askQuestion, mostTokensOf, type Question, showQuestion } from './question.ts';
