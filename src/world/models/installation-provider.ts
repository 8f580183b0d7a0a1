import type { Config } from '../../kit/config/index.ts';
import type { Provider } from './models.ts';

export const INSTALLATION = 'installation';

/** The provider that the environment names; null if it names none. */
export function installationProvider(config: Config): Provider | null {
  const { aiBaseUrl, aiModel } = config;
  if (aiBaseUrl === null || aiModel === null) return null;
  return {
    name: INSTALLATION,
    scope: 'installation',
    address: { kind: config.aiKind, baseUrl: aiBaseUrl, model: aiModel, apiKey: config.aiApiKey },
    embeddingModel: config.aiEmbeddingModel,
    contextTokens: config.aiContextTokens,
    maxOutputTokens: config.aiMaxOutputTokens,
    costsCredits: true,
    isOperators: config.deployment === 'cloud',
  };
}
