import type { Clock } from '../../../kit/clock.ts';
import { randomToken } from '../../../kit/crypto.ts';
import { conflict, notFound } from '../../../kit/errors.ts';
import type { RouteCaller } from '../../../kit/http/route-calls.ts';
import type { KeyValue } from '../../../platform/kv/kv.ts';
import type { AgentSession } from '../agent.ts';

/** From its beginning: clients then begin a new one. */
const SESSION_MS = 24 * 3_600_000;
/** Of one caller; the oldest end for new ones, since many clients never end theirs. */
const MOST_SESSIONS = 50;
const MOST_SUBSCRIPTIONS = 200;

type Owner = Pick<RouteCaller, 'tenantId' | 'projectId' | 'actor'>;

/** A session is bound to these: nobody else finds it. */
interface Bound {
  owner: string;
  client: string;
}

export interface Sessions {
  begin(caller: Owner, client: string): Promise<AgentSession>;
  /** 404 if the caller has no such session in this project, as for one that has ended. */
  find(caller: Owner, id: string): Promise<AgentSession>;
  end(caller: Owner, id: string): Promise<void>;
}

const ownerOf = ({ tenantId, projectId, actor }: Owner): string =>
  JSON.stringify([tenantId, projectId, actor]);

/**
 * Sessions in the store that all cores share, so that each message may reach another core. It is not durable: a client whose session
 * has vanished gets 404 and begins a new one.
 */
export function createSessions({ keyValue, clock }: { keyValue: KeyValue; clock: Clock }): Sessions {
  const keyOf = (id: string) => `agents:session:${id}`;
  const groupOf = (caller: Owner) => `agents:sessions:${ownerOf(caller)}`;

  async function forget(caller: Owner, id: string): Promise<void> {
    await keyValue.take(keyOf(id));
    await keyValue.leave(groupOf(caller), id);
  }

  async function begin(caller: Owner, client: string): Promise<AgentSession> {
    const id = randomToken();
    const begun = String(clock.now()).padStart(15, '0');
    const oldest = (await keyValue.members(groupOf(caller))).sort();
    for (const entry of oldest.slice(0, Math.max(0, oldest.length - MOST_SESSIONS + 1)))
      await forget(caller, entry.slice(entry.indexOf(' ') + 1));
    const bound: Bound = { owner: ownerOf(caller), client };
    await keyValue.set(keyOf(id), JSON.stringify(bound), { ttlMs: SESSION_MS });
    await keyValue.join(groupOf(caller), id, `${begun} ${id}`, { ttlMs: SESSION_MS });
    return sessionOf(keyValue, id, client);
  }

  async function find(caller: Owner, id: string): Promise<AgentSession> {
    const text = await keyValue.get(keyOf(id));
    const bound: Bound | null = text === undefined ? null : JSON.parse(text);
    if (bound?.owner === ownerOf(caller)) return sessionOf(keyValue, id, bound.client);
    throw notFound('This session has ended: begin a new one with initialize', { code: 'no_such_session' });
  }

  return {
    begin,
    find,
    async end(caller, id) {
      await find(caller, id);
      await forget(caller, id);
    },
  };
}

function sessionOf(keyValue: KeyValue, id: string, client: string): AgentSession {
  const changes = `agents:changes:${id}`;
  const subscriptions = `agents:subscriptions:${id}`;
  return {
    id,
    client,
    changeSetId: async () => (await keyValue.get(changes)) ?? null,
    async keepChangeSet(changeSetId) {
      if (changeSetId === null) await keyValue.take(changes);
      else await keyValue.set(changes, changeSetId, { ttlMs: SESSION_MS });
    },
    subscriptions: () => keyValue.members(subscriptions),
    async subscribe(uri) {
      const known = await keyValue.members(subscriptions);
      if (known.length >= MOST_SUBSCRIPTIONS && !known.includes(uri))
        throw conflict(`A session follows ${MOST_SUBSCRIPTIONS} resources at most: unsubscribe from some`, {
          code: 'too_many_subscriptions',
        });
      await keyValue.join(subscriptions, uri, uri, { ttlMs: SESSION_MS });
    },
    unsubscribe: (uri) => keyValue.leave(subscriptions, uri),
  };
}
