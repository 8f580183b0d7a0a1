import { newId } from '../../../kit/ids.ts';
import type { AgentSession } from '../agent.ts';

/** The session of a client with a connection of its own; it ends with the process. */
export function createLoneSession(client: () => string): AgentSession {
  const subscribed = new Set<string>();
  let changeSet: string | null = null;
  return {
    id: newId(),
    get client() {
      return client();
    },
    changeSetId: async () => changeSet,
    async keepChangeSet(changeSetId) {
      changeSet = changeSetId;
    },
    subscriptions: async () => [...subscribed],
    subscribe: async (uri) => void subscribed.add(uri),
    unsubscribe: async (uri) => void subscribed.delete(uri),
  };
}
