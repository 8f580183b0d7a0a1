export { type AnswerText, answerText } from './answer-text.ts';
export { askStructured, type StructuredAnswer, type StructuredQuestion } from './ask-structured.ts';
export type * from './models.ts';
