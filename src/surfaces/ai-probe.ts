import type { Config } from '../kit/config/index.ts';
import { LlmError } from '../platform/llm/llm.ts';
import type { Llms } from '../platform/llm/llms.ts';
import { installationProvider } from '../world/models/index.ts';

const WITHIN_MS = 2_000;
/** Anybody may ask for the state, and each look is a request to the provider. */
const REMEMBERED_MS = 30_000;

/** Rejects while models cannot be reached; undefined where the installation asks none. */
export function aiProbe(config: Config, { installation }: Llms): (() => Promise<void>) | undefined {
  const provider = installationProvider(config);
  if (!config.ai || (config.aiUrl === null && provider === null)) return undefined;
  const ask = async (): Promise<void> => {
    const signal = AbortSignal.timeout(WITHIN_MS);
    if (config.aiUrl !== null) {
      const { ok } = await fetch(`${config.aiUrl}/health`, { signal, redirect: 'error' });
      if (!ok) throw new Error('the AI surface is not healthy');
    } else if (provider !== null) await installation.models(provider.address, signal).catch(unlessAnswered);
  };
  let last: { answer: Promise<void>; atMs: number } | undefined;
  return () => {
    if (last === undefined || performance.now() - last.atMs > REMEMBERED_MS)
      last = { answer: ask(), atMs: performance.now() };
    return last.answer;
  };
}

/** A provider that refuses a list is there. */
function unlessAnswered(error: unknown): void {
  const isAway = !(error instanceof LlmError) || ['unreachable', 'too_slow', 'busy'].includes(error.failure);
  if (isAway) throw error;
}
