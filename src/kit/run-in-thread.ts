import { unavailable } from './errors.ts';
import { startThread } from './start-thread.ts';

export interface ThreadLimits {
  mostMs: number;
  mostMegabytes: number;
}

/** Keeps the service responding. 503 if the script exceeds its time or memory limit. */
export async function runInThread<Answer>(
  script: URL,
  order: unknown,
  { mostMs, mostMegabytes }: ThreadLimits,
): Promise<Answer> {
  const thread = startThread(script, {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  if (thread === null) throw unavailable('The system has no thread left: try again shortly');
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const fail = () => reject(unavailable('This took more time or memory than allowed', 60));
  const timer = setTimeout(fail, mostMs);
  thread.once('message', resolve).once('exit', fail);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
