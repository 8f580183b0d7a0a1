import type { ProviderReply } from './models.contract.ts';
import type { Provider } from './models.ts';
import type { ProviderRow } from './providers.tables.ts';

const UNREADABLE = 'The key cannot be read: ENCRYPTION_KEY has changed since it was entered. Enter it again';

/** Without keys. `usable` are those that the caller may ask, the default first; the installation's is only there. */
export function shownProviders(
  rows: readonly ProviderRow[],
  usable: readonly Provider[],
  canOpen: (row: ProviderRow) => boolean,
): ProviderReply[] {
  const [first] = usable;
  const isDefault = ({ name, scope }: Pick<Provider, 'name' | 'scope'>) =>
    first?.name === name && first.scope === scope;
  const isShadowed = ({ name, scope }: ProviderRow) =>
    usable.some((each) => each.name === name && each.scope !== scope);
  const faultOf = (row: ProviderRow): string | null => {
    if (!canOpen(row)) return UNREADABLE;
    return isShadowed(row) ? 'Another provider of this name comes first' : null;
  };
  return [
    ...rows.map((row) => ({
      name: row.name,
      scope: row.scope,
      kind: row.kind,
      base_url: row.base_url,
      model: row.model,
      models: JSON.parse(row.models) as string[],
      embedding_model: row.embedding_model,
      context_tokens: row.context_tokens,
      max_output_tokens: row.max_output_tokens,
      has_api_key: row.api_key !== null,
      costs_credits: false,
      is_default: isDefault(row),
      fault: faultOf(row),
      updated_at: row.updated_at,
    })),
    ...usable.filter(({ scope }) => scope === 'installation').map(shownInstallation(isDefault)),
  ];
}

const shownInstallation =
  (isDefault: (provider: Provider) => boolean) =>
  (provider: Provider): ProviderReply => ({
    name: provider.name,
    scope: provider.scope,
    kind: provider.address.kind,
    base_url: null,
    model: provider.address.model,
    models: [],
    embedding_model: provider.embeddingModel,
    context_tokens: provider.contextTokens,
    max_output_tokens: provider.maxOutputTokens,
    has_api_key: provider.address.apiKey !== null,
    costs_credits: provider.costsCredits,
    is_default: isDefault(provider),
    fault: null,
    updated_at: null,
  });
