import { unavailable } from './errors.ts';
import { startThread } from './start-thread.ts';

export interface ThreadLimits {
  mostMs: number;
  mostMegabytes: number;
}

/**
 * Has a script do one thing in a thread of its own, which is ended after so long: the service goes on meanwhile. 503
 * where it takes longer, or more memory, than it may.
 */
export async function askThread<Answer>(
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
  const fail = () => reject(unavailable('This took longer, or more memory, than it may', 60));
  const timer = setTimeout(fail, mostMs);
  thread.once('message', resolve).once('exit', fail);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
