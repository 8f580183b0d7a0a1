import type { TenantPlan } from '../../access/entitlements.ts';
import type { Base } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import type { Authenticate } from '../../kit/principal.ts';
import { peopleModule } from '../users/index.ts';
import { apiKeyRoutes } from './api-keys.routes.ts';
import { createApiKeys } from './api-keys.service.ts';
import { apiKeyMigrations } from './api-keys.tables.ts';
import { createAuthenticateKeys } from './authenticate-keys.ts';
import { introspectionRoutes } from './introspection.routes.ts';

export interface ApiKeysContext extends Base {
  planOfTenant: (tenantId: string) => Promise<TenantPlan | null>;
  /** Checks tokens that are not API keys. */
  authenticateTokens: Authenticate;
}

export const apiKeysModule = defineModule({
  name: 'api-keys',
  tags: {
    'API keys': 'Long-lived credentials for programs, sent where access tokens are.',
  },
  uses: { people: peopleModule },
  tables: apiKeyMigrations,
  create(context: ApiKeysContext, { people: { users } }) {
    const { database, clock, planOfTenant: planOf, authenticateTokens: otherwise } = context;
    const apiKeys = createApiKeys({ database, users, clock });
    const authenticate = createAuthenticateKeys({ apiKeys, users, clock, planOf, otherwise });
    return { service: { authenticate, apiKeys }, routes: apiKeyRoutes(apiKeys) };
  },
});

/** Tells other surfaces the owner and rights of an API key. */
export const introspectionModule = defineModule({
  name: 'api-key-introspection',
  uses: { keys: apiKeysModule },
  create: ({ planOfTenant: planOf }: ApiKeysContext, { keys: { apiKeys } }) => ({
    routes: introspectionRoutes({ apiKeys, planOf }),
  }),
});
