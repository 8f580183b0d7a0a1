import type { TenantPlan } from '../../access/entitlements.ts';
import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Authenticate } from '../../kit/principal.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Users } from '../users/users.service.ts';
import { apiKeyRoutes } from './api-keys.routes.ts';
import { type ApiKeys, createApiKeys } from './api-keys.service.ts';
import { createAuthenticateKeys } from './authenticate-keys.ts';
import { type IntrospectionOptions, introspectionRoutes } from './introspection.routes.ts';

export interface ApiKeysModuleOptions {
  database: Database;
  users: Users;
  clock: Clock;
  planOf: (tenantId: string) => Promise<TenantPlan | null>;
  /** The check of tokens that are no API keys. */
  authenticate: Authenticate;
}

export interface ApiKeysModule extends Module {
  authenticate: Authenticate;
  apiKeys: ApiKeys;
}

/** API keys, and the check of all bearer tokens that knows them. */
export function createApiKeysModule(options: ApiKeysModuleOptions): ApiKeysModule {
  const apiKeys = createApiKeys(options);
  const authenticate = createAuthenticateKeys({ ...options, apiKeys, otherwise: options.authenticate });
  return { name: 'api-keys', routes: apiKeyRoutes(apiKeys), authenticate, apiKeys };
}

/** Tells other surfaces what an API key stands for. */
export const createIntrospectionModule = (options: IntrospectionOptions): Module => ({
  name: 'api-key-introspection',
  routes: introspectionRoutes(options),
});
