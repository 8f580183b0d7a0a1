export type { AnswerChat } from './answer-chat.ts';
export { chatModule } from './chat.module.ts';
