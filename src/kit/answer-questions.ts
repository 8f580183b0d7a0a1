import { parentPort } from 'node:worker_threads';
import { messageOf } from './errors.ts';
import type { ThreadAnswer, ThreadQuestion } from './thread-client.ts';

/** The thread's side of `createThreadClient`: answers one question after another. */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Answer | Promise<Answer>,
): void {
  let last: Promise<void> = Promise.resolve();

  async function reply({ id, question }: ThreadQuestion<Question>): Promise<void> {
    const message: ThreadAnswer<Answer> = await Promise.resolve(question)
      .then(answer)
      .then(
        (given) => ({ id, answer: given }),
        (error: unknown) => ({ id, error: messageOf(error) }),
      );
    parentPort?.postMessage(message);
  }

  parentPort?.on('message', (message: ThreadQuestion<Question>) => {
    last = last.then(() => reply(message));
  });
}
