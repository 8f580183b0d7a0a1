import type { Database } from '../../platform/database/database.ts';
import type { AiCaller, Provider } from './models.ts';
import type { ProviderKeys } from './provider-keys.ts';
import { listProviders } from './providers.store.ts';
import type { ProviderRow, ProvidersDb } from './providers.tables.ts';

export interface ProvidersOptions {
  database: Database;
  keys: ProviderKeys;
}

/** The stored providers of a caller: their own, and the tenant's. */
export function createProviders({ database, keys }: ProvidersOptions) {
  const rows = ({ tenantId, userId }: Pick<AiCaller, 'tenantId' | 'userId'>): Promise<ProviderRow[]> =>
    database.tenant(tenantId).read((db: ProvidersDb) => listProviders(db, { tenantId, userId }));

  return {
    rows,
    /** Those whose keys can be read, in the order in which one is taken without a name. */
    usable: async (caller: AiCaller): Promise<Provider[]> =>
      (await rows(caller)).flatMap((row) => {
        const apiKey = keys.open(row);
        return apiKey === undefined ? [] : [providerOf(row, apiKey)];
      }),
  };
}

export type Providers = ReturnType<typeof createProviders>;

const providerOf = (row: ProviderRow, apiKey: string | null): Provider => ({
  name: row.name,
  scope: row.scope,
  address: { kind: row.kind, baseUrl: row.base_url, model: row.model, apiKey },
  embeddingModel: row.embedding_model,
  contextTokens: row.context_tokens,
  maxOutputTokens: row.max_output_tokens,
  costsCredits: false,
});
