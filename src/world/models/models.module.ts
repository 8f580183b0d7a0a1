import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { createWorkBudget } from '../../kit/work-budget.ts';
import { installationProvider } from './installation-provider.ts';
import { modelRoutes } from './models.routes.ts';
import { createModels } from './models.service.ts';
import { createProviderKeys } from './provider-keys.ts';
import { createProviders } from './providers.service.ts';
import { providerMigrations } from './providers.tables.ts';

export interface ModelsContext
  extends Pick<CoreContext, 'config' | 'database' | 'bus' | 'box' | 'clock' | 'log' | 'credits' | 'llms'> {
  modelPatienceMs?: number | undefined;
}

/** The models that callers may ask, and the one way to ask them. */
export const modelsModule = defineModule({
  name: 'models',
  tags: {
    AI: 'Which models may be asked: of the installation, of the tenant, and with keys of your own. What it costs.',
  },
  tables: providerMigrations,
  create(context: ModelsContext) {
    const { config, database, bus, box, clock, log, credits, llms, modelPatienceMs } = context;
    const { aiAtOnce, deployment } = config;
    const keys = createProviderKeys(box);
    const providers = createProviders({ database, keys, clock });
    const models = createModels({
      isOn: config.ai,
      installation: installationProvider(config),
      providers,
      llms,
      credits,
      bus,
      clock,
      log: log.child('models'),
      tokensPerCredit: config.aiTokensPerCredit,
      patienceMs: modelPatienceMs,
      holdTurn: createWorkBudget({
        bytes: aiAtOnce,
        bytesOfTenant: deployment === 'cloud' ? Math.ceil(aiAtOnce / 2) : aiAtOnce,
        refusal: 'All turns for asking models are taken',
      }),
    });
    const shared = { models, providers, llms, isOn: config.ai, tokensPerCredit: config.aiTokensPerCredit };
    return { service: models, routes: modelRoutes(shared) };
  },
});
