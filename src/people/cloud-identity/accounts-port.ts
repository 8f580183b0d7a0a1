import type { ReplyOf } from '../../kit/contract.ts';
import type { listAccessChanges } from '../access-changes/access-changes.contract.ts';
import type { introspectApiKey } from '../api-keys/introspection.contract.ts';

/** The calls from a cloud surface to the accounts service. Each rejects with a 503 within seconds if it does not answer. */
export interface AccountsPort {
  /** The published keys (RFC 7517), unchecked. */
  keys(): Promise<{ keys: Record<string, unknown>[] }>;
  accessChanges(after: number): Promise<ReplyOf<typeof listAccessChanges>>;
  introspect(key: string): Promise<ReplyOf<typeof introspectApiKey>>;
}
