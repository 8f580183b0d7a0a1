import type { SecretBox } from '../../kit/secret-box.ts';
import type { ProviderKey } from './providers.store.ts';

const contextOf = ({ tenant_id, scope, owner_id, name }: ProviderKey): string =>
  JSON.stringify(['ai provider', tenant_id, scope, owner_id, name]);

/** Seals the key of one provider: moved to another row it cannot be opened. */
export const createProviderKeys = (box: SecretBox) => ({
  seal: (row: ProviderKey, key: string): string => box.seal(key, contextOf(row)),
  /** Undefined if it was sealed under another ENCRYPTION_KEY. */
  open(row: ProviderKey & { api_key: string | null }): string | null | undefined {
    if (row.api_key === null) return null;
    try {
      return box.open(row.api_key, contextOf(row));
    } catch {
      return undefined;
    }
  },
});

export type ProviderKeys = ReturnType<typeof createProviderKeys>;
