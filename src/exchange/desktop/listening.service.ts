import { setTimeout as sleep } from 'node:timers/promises';
import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { Scope } from '../../world/records/index.ts';
import type { CloudSync } from '../cloud/index.ts';
import { LOGGED_EVENTS } from '../realtime/events.contract.ts';
import type { CloudSocket, OpenCloudSocket } from './cloud-socket.ts';

export interface ListeningOptions {
  links: Pick<CloudSync['links'], 'require' | 'accessToken'>;
  /** Called when something may have changed in the cloud. */
  hint(scope: Scope): void;
  openSocket: OpenCloudSocket;
  clock: Clock;
  log: Log;
  /** Tests wait less. */
  patience?: Patience;
}

export interface Patience {
  /** Before the second try; twice as long before each further one. */
  first: number;
  longest: number;
  /** A token is asked for so often: a fresh one comes a minute before the old one runs out. */
  renew: number;
}

export interface ListeningStatus {
  state: 'off' | 'connecting' | 'connected' | 'waiting';
  project: string | null;
  cloud_url: string | null;
  connected_at: string | null;
  /** Events that came since it was asked for. */
  events: number;
  error: string | null;
  next_try_at: string | null;
}

const PATIENCE: Patience = { first: 1_000, longest: 60_000, renew: 20_000 };
const ANSWER_MS = 10_000;

const OFF: ListeningStatus = {
  state: 'off',
  project: null,
  cloud_url: null,
  connected_at: null,
  events: 0,
  error: null,
  next_try_at: null,
};

interface Message {
  type?: unknown;
  cursor?: unknown;
}

/** Everything that is kept in the cloud's log, and that more happened than it names. */
const NEWS = new Set<string>([...LOGGED_EVENTS.map(({ name }) => name), 'catch_up']);

/** Hears of changes in the cloud as they happen; each is a hint to sync, which is what finds them (spec 1 §4.8). */
export function createListening(options: ListeningOptions) {
  const { links, hint, openSocket, clock, log, patience = PATIENCE } = options;
  let status: ListeningStatus = OFF;
  let stop: AbortController | null = null;
  let over: Promise<void> = Promise.resolve();
  /** Resolves when the first try has an outcome. */
  let tried = Promise.withResolvers<void>();

  const set = (change: Partial<ListeningStatus>) => {
    status = { ...status, ...change };
    if (status.state !== 'connecting') tried.resolve();
  };

  /** One connection, from its opening to its end; resolves to why it ended. */
  async function connection(place: Place, signal: AbortSignal): Promise<string> {
    const { url } = await links.require(LOCAL_TENANT);
    let token = await links.accessToken(LOCAL_TENANT);
    signal.throwIfAborted();
    const { promise: closed, resolve } = Promise.withResolvers<string>();
    const socket: CloudSocket = openSocket({
      url,
      token,
      projectId: place.projectId,
      cursor: place.cursor,
      onMessage: (text) => signal.aborted || receive(place, text),
      onClose: resolve,
    });
    set({ cloud_url: url });
    const renew = async () => {
      const next = await links.accessToken(LOCAL_TENANT);
      if (next !== token) socket.send(JSON.stringify({ type: 'auth', token: next }));
      token = next;
    };
    // A cloud that is away for a moment is asked again before the token ends.
    const timer = setInterval(() => void renew().catch(() => {}), patience.renew).unref();
    const leave = () => socket.close();
    signal.addEventListener('abort', leave, { once: true });
    return closed.finally(() => {
      clearInterval(timer);
      signal.removeEventListener('abort', leave);
    });
  }

  function receive(place: Place, text: string): void {
    const { type, cursor } = parsed(text);
    if (typeof cursor === 'string') place.cursor = cursor;
    if (type === 'ready') {
      place.failures = 0;
      set({ state: 'connected', connected_at: isoTime(clock.now()), error: null });
      // What happened before the first cursor is found by a sync alone.
      if (!place.wasConnected) hint(place.scope);
      place.wasConnected = true;
    }
    if (!NEWS.has(String(type))) return;
    set({ events: status.events + 1 });
    hint(place.scope);
  }

  async function keepConnected(place: Place, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      set({ state: 'connecting', next_try_at: null });
      const reason = await connection(place, signal).catch(messageOf);
      if (signal.aborted) return;
      const wait =
        Math.min(patience.first * 2 ** place.failures, patience.longest) * (0.5 + Math.random() / 2);
      place.failures += 1;
      log.info(`no events from the cloud: ${reason}`);
      const next_try_at = isoTime(clock.now() + wait);
      set({ state: 'waiting', connected_at: null, error: reason, next_try_at });
      await sleep(wait, undefined, { signal }).catch(() => {});
    }
  }

  async function end(): Promise<void> {
    stop?.abort();
    stop = null;
    await over;
    // Somebody may have asked for another connection meanwhile.
    if (stop === null) status = OFF;
  }

  /** In one step, so that of two who ask at once the second finds what the first began. */
  function start(projectId: string): void {
    stop?.abort();
    const stopping = new AbortController();
    stop = stopping;
    tried = Promise.withResolvers();
    status = { ...OFF, state: 'connecting', project: projectId };
    over = over.then(() => keepConnected(placeOf(projectId), stopping.signal));
  }

  return {
    status: (): ListeningStatus => ({ ...status }),
    /** Resolves once it is connected, or could not be and tries again by itself. 409 without a cloud. */
    async connect(projectId: string): Promise<ListeningStatus> {
      await links.require(LOCAL_TENANT);
      if (stop === null || status.project !== projectId) start(projectId);
      await Promise.race([tried.promise, sleep(ANSWER_MS, undefined, { ref: false })]);
      return { ...status };
    },
    /** Goes on with another project, if it is connected at all. */
    follow(projectId: string): void {
      if (stop !== null && status.project !== projectId) start(projectId);
    },
    disconnect: end,
  };
}

export type Listening = ReturnType<typeof createListening>;

/** A project in the cloud, and how far its events were heard. */
interface Place {
  projectId: string;
  scope: Scope;
  cursor: string | null;
  wasConnected: boolean;
  failures: number;
}

const placeOf = (projectId: string): Place => ({
  projectId,
  scope: { tenantId: LOCAL_TENANT, projectId },
  cursor: null,
  wasConnected: false,
  failures: 0,
});

function parsed(text: string): Message {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
