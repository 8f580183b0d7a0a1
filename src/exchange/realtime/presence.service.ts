import { type Clock, isoTime } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { ContentOf } from '../../kit/event.ts';
import { newId } from '../../kit/ids.ts';
import type { Log } from '../../kit/log.ts';
import type { Principal } from '../../kit/principal.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { KeyValue } from '../../platform/kv/kv.ts';
import type { PresenceMessage } from './messages.ts';
import { presenceUpdate } from './presence.events.ts';

export interface PresenceOptions {
  keyValue: Pick<KeyValue, 'join' | 'leave' | 'members'>;
  bus: Bus;
  clock: Clock;
  log: Log;
  /** The display name; null if unknown. */
  nameOf(userId: string): Promise<string | null>;
}

/** One of a user's connections, as others see it. */
export interface Attendant {
  user_id: string;
  user_name: string;
  status: 'online' | 'idle' | 'editing';
  entity_type: string | null;
  entity_id: string | null;
  field: string | null;
  project_id: string;
  client: 'web' | 'desktop';
  last_seen: string;
}

export interface Attendance {
  say(message: PresenceMessage): void;
  /** Keeps the connection from expiring. */
  stay(): void;
  leave(): void;
}

type Status = ContentOf<typeof presenceUpdate>['status'];

export type Presence = ReturnType<typeof createPresence>;

/** When a connection of a vanished process expires. */
const GONE_AFTER_MS = 45_000;
const STAY_EVERY_MS = 15_000;

const groupOf = (tenantId: string): string => `presence:${tenantId}`;
const clientOf = (client: string): Attendant['client'] => (client === 'desktop' ? 'desktop' : 'web');

/** People who are online, and what they do. The list is in the key-value store, which all cores share. */
export function createPresence({ keyValue, bus, clock, log, nameOf }: PresenceOptions) {
  const pending = new Set<Promise<void>>();
  const now = () => isoTime(clock.now());

  async function list(tenantId: string): Promise<Attendant[]> {
    const members = await keyValue.members(groupOf(tenantId));
    return members.map((text) => JSON.parse(text) as Attendant);
  }

  function tell(tenantId: string, { user_id, user_name, ...state }: Attendant, status: Status): void {
    const { entity_type, entity_id, project_id } = state;
    const about = { user_id, user_name, status, entity_type, entity_id, timestamp: now() };
    bus.publish({ tenantId, projectId: project_id }, presenceUpdate, about);
  }

  function arrive(who: Principal, projectId: string, client: string): Attendance {
    const key = newId();
    const group = groupOf(who.tenantId);
    let state: Attendant = {
      user_id: who.userId,
      user_name: who.email,
      status: 'online',
      entity_type: null,
      entity_id: null,
      field: null,
      project_id: projectId,
      client: clientOf(client),
      last_seen: now(),
    };
    let keptAtMs = clock.now();
    let last: Promise<void> = Promise.resolve();

    /** Serialized. An update that the store misses is repeated with the next refresh. */
    function inTurn(work: () => Promise<void>): void {
      last = last.then(work).catch((error: unknown) => log.debug(`presence: ${messageOf(error)}`));
      const mine = last;
      pending.add(mine);
      void mine.finally(() => pending.delete(mine));
    }

    function keep(): void {
      keptAtMs = clock.now();
      const value = JSON.stringify(state);
      inTurn(() => keyValue.join(group, key, value, { ttlMs: GONE_AFTER_MS }));
    }

    inTurn(async () => {
      state = { ...state, user_name: (await nameOf(who.userId)) ?? who.email };
      tell(who.tenantId, state, state.status);
      await keyValue.join(group, key, JSON.stringify(state), { ttlMs: GONE_AFTER_MS });
    });
    return {
      say({ status, entity_type = null, entity_id = null, field = null }) {
        inTurn(async () => {
          const about = status === 'editing' ? { entity_type, entity_id, field } : NOTHING;
          const isNews = status !== state.status || entity_id !== state.entity_id || field !== state.field;
          state = { ...state, ...about, status, last_seen: now() };
          await keyValue
            .join(group, key, JSON.stringify(state), { ttlMs: GONE_AFTER_MS })
            .finally(() => isNews && tell(who.tenantId, state, status));
        });
      },
      stay() {
        if (clock.now() - keptAtMs >= STAY_EVERY_MS) keep();
      },
      leave() {
        inTurn(async () => {
          await keyValue.leave(group, key);
          const others = (await list(who.tenantId)).filter(({ user_id }) => user_id === who.userId);
          const left = strongest(others);
          tell(who.tenantId, left ?? { ...state, ...NOTHING }, left?.status ?? 'offline');
        });
      },
    };
  }

  return {
    arrive,
    list,
    /** Connected desktop apps of a tenant. */
    countDesktops: async (tenantId: string): Promise<number> =>
      (await list(tenantId)).filter(({ client }) => client === 'desktop').length,
    async idle(): Promise<void> {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

const NOTHING = { entity_type: null, entity_id: null, field: null };
const STRENGTH = { idle: 0, online: 1, editing: 2 };

const strongest = (all: readonly Attendant[]): Attendant | undefined =>
  all.toSorted((one, other) => STRENGTH[other.status] - STRENGTH[one.status])[0];

/** Each user once, by the most active connection. */
export function peopleOf(all: readonly Attendant[]): Attendant[] {
  const byUser = Map.groupBy(all, ({ user_id }) => user_id);
  return [...byUser.values()].flatMap((own) => strongest(own) ?? []);
}
