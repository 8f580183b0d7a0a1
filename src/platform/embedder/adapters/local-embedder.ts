import { unavailable } from '../../../kit/errors.ts';
import { createThreadClient } from '../../../kit/thread-client.ts';
import type { Embedder } from '../embedder.ts';

const IDLE_MS = 60_000;
const MOST_MEGABYTES = 512;
const MOST_WAITING = 2_000;

interface Waiting {
  text: string;
  signal: AbortSignal | undefined;
  resolve(vector: Float32Array): void;
  reject(error: unknown): void;
}

export interface LocalEmbedder extends Embedder {
  /** True while the model is in memory. */
  isLoaded(): boolean;
}

/**
 * The Universal Sentence Encoder (lite, English), whose weights a package ships. It is loaded into a thread by the first text and
 * unloaded when idle. One text at a time: several at once are no faster, take more memory, and would keep an urgent one waiting.
 */
export function createLocalEmbedder({ idleMs = IDLE_MS } = {}): LocalEmbedder {
  const thread = createThreadClient<string, Float32Array>({
    script: new URL('./local-embedder.worker.ts', import.meta.url),
    idleMs,
    mostMegabytes: MOST_MEGABYTES,
  });
  const urgent: Waiting[] = [];
  const others: Waiting[] = [];
  let isWorking = false;

  async function workThrough(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    for (let next = urgent.shift() ?? others.shift(); next; next = urgent.shift() ?? others.shift()) {
      if (next.signal?.aborted) next.reject(next.signal.reason);
      else await thread.ask(next.text).then(next.resolve, next.reject);
    }
    isWorking = false;
  }

  return {
    model: 'universal-sentence-encoder-lite-en@0.2.0',
    dimensions: 512,
    async embed(texts, { urgent: isUrgent = false, signal } = {}) {
      const queue = isUrgent ? urgent : others;
      if (queue.length + texts.length > MOST_WAITING) throw unavailable('Too many texts wait to be compared');
      const vectors = texts.map((text) => {
        const { promise, resolve, reject } = Promise.withResolvers<Float32Array>();
        queue.push({ text, signal, resolve, reject });
        return promise;
      });
      void workThrough();
      return Promise.all(vectors);
    },
    isLoaded: thread.isRunning,
    async close() {
      for (const { reject } of [...urgent.splice(0), ...others.splice(0)])
        reject(unavailable('The service is stopping'));
      await thread.close();
    },
  };
}
