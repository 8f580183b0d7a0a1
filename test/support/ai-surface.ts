import { systemClock } from '../../src/kit/clock.ts';
import { loadConfig } from '../../src/kit/config/index.ts';
import { silentLog } from '../../src/kit/log.ts';
import type { LlmLimits } from '../../src/platform/llm/limits.ts';
import { createAiSurface } from '../../src/surfaces/ai.surface.ts';
import { listen } from './listen.ts';

export const SERVICE_TOKEN = 'the token that all surfaces of a test share';

/** On a free port. */
export async function startAiSurface(limits: Partial<LlmLimits> = {}, env: Record<string, string> = {}) {
  const { config } = loadConfig({
    mode: 'cli',
    surface: 'ai',
    env: { SERVICE_TOKEN, AI_LOCAL_ENDPOINTS: 'true', ...env },
  });
  const surface = await createAiSurface({ config, log: silentLog, clock: systemClock, limits });
  return { ...surface, url: await listen(surface) };
}
