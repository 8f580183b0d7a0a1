import { answerQuestions } from '../../kit/answer-questions.ts';
import { createCodeThread } from './code-thread.ts';

answerQuestions(createCodeThread());
