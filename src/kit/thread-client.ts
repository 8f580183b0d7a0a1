import type { Worker } from 'node:worker_threads';
import { unavailable } from './errors.ts';
import { startThread } from './start-thread.ts';

export interface ThreadQuestion<Question> {
  id: number;
  question: Question;
}

export type ThreadAnswer<Answer> = { id: number; answer: Answer } | { id: number; error: string };

export interface ThreadClientOptions {
  /** Answers by `answerQuestions`. */
  script: URL;
  /** After so long without a question the thread ends, with everything that it holds. */
  idleMs: number;
  mostMegabytes: number;
}

export interface ThreadClient<Question, Answer> {
  /** Rejects with the thread's error; 503 if the thread ends first. */
  ask(question: Question, transfer?: readonly ArrayBuffer[]): Promise<Answer>;
  /** True while a thread runs. */
  isRunning(): boolean;
  close(): Promise<void>;
}

interface Asked<Answer> {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** A thread that is started by its first question, ends when idle, and is started again if it died. */
export function createThreadClient<Question, Answer>({
  script,
  idleMs,
  mostMegabytes,
}: ThreadClientOptions): ThreadClient<Question, Answer> {
  const asked = new Map<number, Asked<Answer>>();
  let thread: Worker | null = null;
  let lastId = 0;
  const idle = setTimeout(() => {
    if (asked.size === 0) void end();
  }, idleMs).unref();

  function lose(): void {
    thread = null;
    for (const { reject } of asked.values()) reject(unavailable('The work ended early: try again'));
    asked.clear();
  }

  function receive(message: ThreadAnswer<Answer>): void {
    const waiting = asked.get(message.id);
    asked.delete(message.id);
    if ('error' in message) waiting?.reject(new Error(message.error));
    else waiting?.resolve(message.answer);
    if (asked.size > 0) return;
    // Only a question keeps the process alive; an idle thread does not.
    thread?.unref();
    idle.refresh();
  }

  function running(): Worker {
    if (thread) return thread;
    const own = startThread(script, { resourceLimits: { maxOldGenerationSizeMb: mostMegabytes } });
    if (own === null) throw unavailable('The system has no thread left: try again shortly');
    own.on('message', receive);
    own.on('exit', () => {
      if (thread === own) lose();
    });
    thread = own;
    return own;
  }

  async function end(): Promise<void> {
    const ending = thread;
    if (ending) lose();
    await ending?.terminate();
  }

  return {
    async ask(question, transfer = []) {
      const own = running();
      own.ref();
      lastId += 1;
      const id = lastId;
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      asked.set(id, { resolve, reject });
      own.postMessage({ id, question } satisfies ThreadQuestion<Question>, [...transfer]);
      return promise;
    },
    isRunning: () => thread !== null,
    async close() {
      clearTimeout(idle);
      await end();
    },
  };
}
