import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, notFound } from '../../kit/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ProviderInput } from './models.contract.ts';
import type { AiCaller, Provider } from './models.ts';
import type { ProviderKeys } from './provider-keys.ts';
import {
  countProviders,
  deleteProvider,
  listProviders,
  lockProvider,
  type ProviderKey,
  putProvider,
} from './providers.store.ts';
import type { ProviderRow, ProvidersDb } from './providers.tables.ts';

export interface ProvidersOptions {
  database: Database;
  keys: ProviderKeys;
  clock: Clock;
}

type Owner = Pick<AiCaller, 'tenantId' | 'userId'>;

const MOST_OF_AN_OWNER = 20;
const DEFAULT_CONTEXT_TOKENS = 32_768;
const DEFAULT_OUTPUT_TOKENS = 4_096;

/** The stored providers: people's own, and the tenant's. */
export function createProviders({ database, keys, clock }: ProvidersOptions) {
  const rows = ({ tenantId, userId }: Owner): Promise<ProviderRow[]> =>
    database.tenant(tenantId).read((db: ProvidersDb) => listProviders(db, { tenantId, userId }));

  return {
    rows,

    /** Those whose keys can be read, in the order in which one is taken without a name. */
    usable: async (caller: Owner): Promise<Provider[]> =>
      (await rows(caller)).flatMap((row) => {
        const apiKey = keys.open(row);
        return apiKey === undefined ? [] : [providerOf(row, apiKey)];
      }),

    canOpen: (row: ProviderRow): boolean => keys.open(row) !== undefined,

    /** With an address that was checked. 409 if the owner has too many. */
    put(owner: Owner, name: string, input: ProviderInput): Promise<ProviderRow> {
      const key = keyOf(owner, input.scope, name);
      const sealed = typeof input.api_key === 'string' ? keys.seal(key, input.api_key) : null;
      return database.tenant(owner.tenantId).write(async (db: ProvidersDb) => {
        const stored = await lockProvider(db, key, database.dialect);
        if (!stored && (await countProviders(db, key)) >= MOST_OF_AN_OWNER) throw tooMany();
        const isSame = stored?.kind === input.kind && stored.base_url === input.base_url;
        const row: ProviderRow = {
          ...key,
          kind: input.kind,
          base_url: input.base_url,
          model: input.model,
          models: JSON.stringify(input.models ?? []),
          embedding_model: input.embedding_model ?? null,
          context_tokens: input.context_tokens ?? DEFAULT_CONTEXT_TOKENS,
          max_output_tokens: input.max_output_tokens ?? DEFAULT_OUTPUT_TOKENS,
          // A key must not reach an address that it was not entered for.
          api_key: input.api_key === undefined && isSame ? stored.api_key : sealed,
          updated_by: owner.userId,
          updated_at: isoTime(clock.now()),
        };
        await putProvider(db, row);
        return row;
      });
    },

    /** 404 if there is none. */
    async remove(owner: Owner, name: string, scope: ProviderRow['scope']): Promise<void> {
      const key = keyOf(owner, scope, name);
      const isRemoved = await database
        .tenant(owner.tenantId)
        .write((db: ProvidersDb) => deleteProvider(db, key));
      if (!isRemoved) throw noSuchProvider(name);
    },
  };
}

export type Providers = ReturnType<typeof createProviders>;

export const noSuchProvider = (name: string) =>
  notFound(`There is no provider '${name}' for you`, { code: 'no_such_provider' });

const tooMany = () =>
  conflict(`There are ${MOST_OF_AN_OWNER} providers already: delete one first`, {
    code: 'too_many_providers',
  });

const keyOf = ({ tenantId, userId }: Owner, scope: ProviderRow['scope'], name: string): ProviderKey => ({
  tenant_id: tenantId,
  scope,
  owner_id: scope === 'user' ? userId : '',
  name,
});

const providerOf = (row: ProviderRow, apiKey: string | null): Provider => ({
  name: row.name,
  scope: row.scope,
  address: { kind: row.kind, baseUrl: row.base_url, model: row.model, apiKey },
  embeddingModel: row.embedding_model,
  contextTokens: row.context_tokens,
  maxOutputTokens: row.max_output_tokens,
  costsCredits: false,
  isOperators: false,
});
