import { callerOf } from '../../kit/principal.ts';
import { type Route, route } from '../../kit/route.ts';
import { createApiKey, deleteApiKey, listApiKeys } from './api-keys.contract.ts';
import type { ApiKeys } from './api-keys.service.ts';

export const apiKeyRoutes = (apiKeys: ApiKeys): Route[] => [
  route(createApiKey, async (request) => {
    const { apiKey, key } = await apiKeys.create(callerOf(request).userId, request.body);
    return { ...apiKey, key };
  }),
  route(listApiKeys, async (request) => ({ api_keys: await apiKeys.list(callerOf(request).userId) })),
  route(deleteApiKey, async (request) => {
    await apiKeys.remove(callerOf(request).userId, request.params.key_id);
    return { message: 'The API key has ended' };
  }),
];
