import { SERVICE_TOKEN, startAiSurface } from '../../test/support/ai-surface.ts';
import { llmConformance, QUICK_LIMITS } from '../platform/llm/llm.conformance.ts';
import { createAiClient } from './ai-client.ts';

llmConformance(async () => {
  const { url, close } = await startAiSurface(QUICK_LIMITS);
  return { llm: createAiClient({ url, serviceToken: SERVICE_TOKEN, entered: true }), close };
});
