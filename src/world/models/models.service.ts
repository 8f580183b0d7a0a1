import { featuresOf } from '../../access/entitlements.ts';
import { forbidden } from '../../kit/errors.ts';
import { aiNotConfigured, aiOff } from './model-errors.ts';
import type { AiCaller, Models, Provider } from './models.ts';
import { noSuchProvider, type Providers } from './providers.service.ts';
import { createSpend, priceOf, type SpendOptions } from './spend.service.ts';

export interface ModelsOptions extends SpendOptions {
  isOn: boolean;
  /** Null if the environment names none. */
  installation: Provider | null;
  providers: Providers;
}

const mayGenerate = ({ plan, overrides }: AiCaller): boolean => featuresOf(plan, overrides).ai_generation;

/** Which models a caller may ask, and asking them. */
export function createModels(options: ModelsOptions): Models {
  const { isOn, installation, providers, tokensPerCredit } = options;

  async function list(caller: AiCaller): Promise<Provider[]> {
    if (!isOn) return [];
    const own = installation !== null && mayGenerate(caller) ? [installation] : [];
    const all = [...(await providers.usable(caller)), ...own];
    return all.filter(({ name }, at) => all.findIndex((each) => each.name === name) === at);
  }

  return {
    async state(caller) {
      if (!isOn) return 'off';
      return (await list(caller)).length > 0 ? 'ready' : 'not_configured';
    },
    list,
    async pick(caller, name) {
      if (!isOn) throw aiOff();
      const all = await list(caller);
      const found = name === undefined ? all[0] : all.find((each) => each.name === name);
      if (found) return found;
      const isWithheld = installation !== null && (name === undefined || name === installation.name);
      if (isWithheld && !mayGenerate(caller)) throw planLacksAi(caller);
      if (name === undefined) throw aiNotConfigured();
      throw noSuchProvider(name);
    },
    priceOf: priceOf(tokensPerCredit),
    spend: createSpend(options),
  };
}

/** Own keys need no feature of the plan. */
const planLacksAi = ({ plan }: AiCaller) =>
  forbidden(`The ${plan} plan does not include ai_generation: add a provider with your own key`, {
    code: 'feature_unavailable',
    body: { feature: 'ai_generation' },
  });
