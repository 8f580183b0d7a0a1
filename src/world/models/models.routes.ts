import { roleAllows, strongest } from '../../access/plans.ts';
import { forbidden, invalidField } from '../../kit/errors.ts';
import { callerOf } from '../../kit/principal.ts';
import { type Route, type RouteRequest, route } from '../../kit/route.ts';
import { LlmError } from '../../platform/llm/llm.ts';
import type { Llms } from '../../platform/llm/llms.ts';
import { aiCallerOf } from './ai-caller.ts';
import { enteredAddress } from './entered-address.ts';
import { INSTALLATION } from './installation-provider.ts';
import { aiNotConfigured, aiOff, apiErrorOf } from './model-errors.ts';
import {
  deleteAiProvider,
  getAiProviders,
  getAiStatus,
  listProviderModels,
  putAiProvider,
  testAiProvider,
} from './models.contract.ts';
import type { AiCaller, Models } from './models.ts';
import { testProvider } from './provider-test.service.ts';
import type { Providers } from './providers.service.ts';
import type { ProviderRow } from './providers.tables.ts';
import { shownProviders } from './shown-providers.ts';
import { llmOf } from './spend.service.ts';

export interface ModelRoutesOptions {
  models: Models;
  providers: Providers;
  llms: Llms;
  isOn: boolean;
  tokensPerCredit: number;
}

const LIST_WITHIN_MS = 15_000;

export function modelRoutes({ models, providers, llms, isOn, tokensPerCredit }: ModelRoutesOptions): Route[] {
  const shown = async (caller: AiCaller, rows: readonly ProviderRow[]) =>
    shownProviders(rows, await models.list(caller), providers.canOpen);

  return [
    route(getAiStatus, async (request) => {
      const caller = aiCallerOf(request);
      const [first] = await models.list(caller);
      const status = await models.state(caller);
      return {
        status,
        detail: status === 'ready' ? null : (status === 'off' ? aiOff() : aiNotConfigured()).message,
        default_provider: first
          ? { name: first.name, scope: first.scope, kind: first.address.kind, model: first.address.model }
          : null,
        costs_credits: first?.costsCredits ?? false,
        tokens_per_credit: tokensPerCredit,
      };
    }),

    route(getAiProviders, async (request) => {
      const caller = aiCallerOf(request);
      return {
        status: await models.state(caller),
        providers: await shown(caller, await providers.rows(caller)),
      };
    }),

    route(putAiProvider, async (request) => {
      // Even the check of an address asks for names.
      if (!isOn) throw aiOff();
      const { scope, base_url } = request.body;
      const { provider: name } = request.params;
      requireOwner(request, scope);
      if (name === INSTALLATION)
        throw invalidField('provider', `must not be '${INSTALLATION}', which is the one of the settings`);
      const caller = aiCallerOf(request);
      const row = await providers.put(caller, name, {
        ...request.body,
        base_url: await enteredAddress(base_url, llms),
      });
      const [stored] = await shown(caller, [row]);
      if (stored === undefined) throw new Error('a stored provider is shown');
      return stored;
    }),

    route(deleteAiProvider, async (request) => {
      const { scope = 'user' } = request.query;
      requireOwner(request, scope);
      await providers.remove(aiCallerOf(request), request.params.provider, scope);
      return null;
    }),

    route(testAiProvider, async (request) => {
      const caller = aiCallerOf(request);
      const provider = await models.pick(caller, request.params.provider);
      return testProvider(models, caller, provider, request.callerGone());
    }),

    route(listProviderModels, async (request) => {
      const provider = await models.pick(aiCallerOf(request), request.params.provider);
      const late = AbortSignal.timeout(LIST_WITHIN_MS);
      const signal = AbortSignal.any([request.callerGone(), late]);
      const names = llmOf(llms, provider).models(provider.address, signal);
      return {
        models: await names.catch((error: unknown) => {
          throw apiErrorOf(late.aborted ? tooSlow() : error, provider);
        }),
      };
    }),
  ];
}

const tooSlow = () => new LlmError('too_slow', `There was no list within ${LIST_WITHIN_MS / 1_000} seconds`);

function requireOwner(request: Pick<RouteRequest, 'principal'>, scope: ProviderRow['scope']): void {
  if (scope === 'user' || roleAllows(strongest(callerOf(request)), 'admin')) return;
  throw forbidden('Admin access required for a provider of the tenant', { code: 'insufficient_role' });
}
