import type { AdapterFactory, AdapterPayload } from 'oidc-provider';

export interface OpenIdMemory {
  adapter: AdapterFactory;
  find(model: string, id: string): AdapterPayload | undefined;
  /** Drops all that was granted to an account's clients, and what came of it. */
  endGrantsOf(accountId: string): void;
}

/** For the life of the process. The library's own memory warns on every start that it is not for production. */
export function createOpenIdMemory(): OpenIdMemory {
  const payloads = new Map<string, AdapterPayload>();
  const adapter: AdapterFactory = (model) => {
    const keyOf = (id: string) => `${model}:${id}`;
    const findWhere = async (holds: (payload: AdapterPayload) => boolean) =>
      [...payloads].find(([key, payload]) => key.startsWith(keyOf('')) && holds(payload))?.[1];
    return {
      upsert: async (id, payload) => void payloads.set(keyOf(id), payload),
      find: async (id) => payloads.get(keyOf(id)),
      findByUid: (uid) => findWhere((payload) => payload.uid === uid),
      findByUserCode: (userCode) => findWhere((payload) => payload.userCode === userCode),
      async consume(id) {
        const payload = payloads.get(keyOf(id));
        if (payload) payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void payloads.delete(keyOf(id)),
      async revokeByGrantId(grantId) {
        for (const [key, payload] of payloads) if (payload.grantId === grantId) payloads.delete(key);
      },
    };
  };
  return {
    adapter,
    find: (model, id) => payloads.get(`${model}:${id}`),
    endGrantsOf(accountId) {
      for (const [key, payload] of payloads)
        if (payload.accountId === accountId && !key.startsWith('Session:')) payloads.delete(key);
    },
  };
}
