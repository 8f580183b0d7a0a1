import { forbidden } from '../../kit/errors.ts';
import { callerOf, type Principal } from '../../kit/principal.ts';
import { type Route, route } from '../../kit/route.ts';
import { createApiKey, deleteApiKey, listApiKeys } from './api-keys.contract.ts';
import type { ApiKeys } from './api-keys.service.ts';

/** A key that could make keys would outlive its own end. */
function refuseKeys({ apiKey }: Principal): void {
  if (apiKey !== undefined)
    throw forbidden('API keys are made by people: sign in with a password', { code: 'api_key_refused' });
}

export const apiKeyRoutes = (apiKeys: ApiKeys): Route[] => [
  route(createApiKey, async (request) => {
    const caller = callerOf(request);
    refuseKeys(caller);
    const { apiKey, key } = await apiKeys.create(caller.userId, request.body);
    return { ...apiKey, key };
  }),
  route(listApiKeys, async (request) => ({ api_keys: await apiKeys.list(callerOf(request).userId) })),
  route(deleteApiKey, async (request) => {
    await apiKeys.remove(callerOf(request).userId, request.params.key_id);
    return { message: 'The API key has ended' };
  }),
];
