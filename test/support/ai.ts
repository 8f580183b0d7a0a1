import { type CoreSetup, startCore, type TestCore } from './core.ts';
import type { Script } from './llm/answer.ts';
import { type LlmServer, startLlmServer } from './llm/server.ts';

export interface AiCore extends TestCore {
  /** The installation's provider: what it says, and what it was asked. */
  llm: LlmServer;
}

export interface AiCoreSetup extends CoreSetup {
  script?: Script;
  /** False to begin without a provider. */
  configured?: boolean;
}

/** A core whose installation asks a scripted provider on a local port. */
export async function startAiCore({
  script,
  configured = true,
  ...setup
}: AiCoreSetup = {}): Promise<AiCore> {
  const llm = await startLlmServer(script);
  const provider = {
    AI_BASE_URL: llm.url,
    AI_MODEL: 'scripted-1',
    AI_API_KEY: 'sk-installation-0123456789',
    AI_EMBEDDING_MODEL: 'scripted-embed',
  };
  const core = await startCore({ ...setup, env: { ...(configured && provider), ...setup.env } });
  return {
    ...core,
    llm,
    async close() {
      await core.close();
      await llm.close();
    },
  };
}
