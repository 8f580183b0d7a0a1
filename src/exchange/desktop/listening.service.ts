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
  /** The cloud may have changed. */
  hint(scope: Scope): void;
  openSocket: OpenCloudSocket;
  clock: Clock;
  log: Log;
  /** Tests wait less. */
  timing?: ReconnectTiming;
}

export interface ReconnectTiming {
  /** Delay before the second try; doubles with each further one. */
  first: number;
  longest: number;
  /** How often to ask for a token: a fresh one comes a minute before the old one expires. */
  renew: number;
}

export interface ListeningStatus {
  state: 'off' | 'connecting' | 'connected' | 'waiting';
  project: string | null;
  cloud_url: string | null;
  connected_at: string | null;
  /** Events since the connection was requested. */
  events: number;
  error: string | null;
  next_try_at: string | null;
}

const TIMING: ReconnectTiming = { first: 1_000, longest: 60_000, renew: 20_000 };
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

/** All logged events, and the notice that more happened than the log names. */
const NEWS = new Set<string>([...LOGGED_EVENTS.map(({ name }) => name), 'catch_up']);

/** Listens for changes in the cloud. Each is only a hint: the sync finds what changed (spec 1 §4.8). */
export function createListening(options: ListeningOptions) {
  const { links, hint, openSocket, clock, log, timing = TIMING } = options;
  let status: ListeningStatus = OFF;
  let stop: AbortController | null = null;
  let over: Promise<void> = Promise.resolve();
  /** Resolves when the first attempt has succeeded or failed. */
  let tried = Promise.withResolvers<void>();

  const set = (change: Partial<ListeningStatus>) => {
    status = { ...status, ...change };
    if (status.state !== 'connecting') tried.resolve();
  };

  /** One connection from opening to close; resolves to the reason it ended. */
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
    // Errors are ignored: a cloud that is briefly away is asked again before the token expires.
    const timer = setInterval(() => void renew().catch(() => {}), timing.renew).unref();
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
      // Only a sync finds what happened before the first cursor.
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
      const wait = Math.min(timing.first * 2 ** place.failures, timing.longest) * (0.5 + Math.random() / 2);
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
    // Another connection may have been requested meanwhile.
    if (stop === null) status = OFF;
  }

  /** Synchronous, so that a second caller finds what the first began. */
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
    /** Resolves once connected, or once the first attempt failed; retries continue. 409 without a cloud. */
    async connect(projectId: string): Promise<ListeningStatus> {
      await links.require(LOCAL_TENANT);
      if (stop === null || status.project !== projectId) start(projectId);
      await Promise.race([tried.promise, sleep(ANSWER_MS, undefined, { ref: false })]);
      return { ...status };
    },
    /** Switches to another project, if connected. */
    follow(projectId: string): void {
      if (stop !== null && status.project !== projectId) start(projectId);
    },
    disconnect: end,
  };
}

export type Listening = ReturnType<typeof createListening>;

/** A project in the cloud, and the last event heard of it. */
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
