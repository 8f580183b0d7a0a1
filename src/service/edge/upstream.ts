import http from 'node:http';
import https from 'node:https';
import type { Clock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { Patience } from './patience.ts';

/** One process of a service. */
export interface Target {
  origin: string;
  host: string;
  /** Where its routes begin; empty for the root. */
  prefix: string;
  /** `fresh`: over a new connection, not over one that was kept and may be about to end. */
  request(options: http.RequestOptions, fresh: boolean): http.ClientRequest;
  close(): void;
}

export interface Upstream {
  name: string;
  patience: Patience;
  /** All processes, in the order to try: turns among those that answer, then those that did not lately. */
  targets(): Target[];
  /** Leaves a process out for a while. */
  leaveOut(target: Target, why: string): void;
  /** Notes that a process takes requests. */
  takeIn(target: Target): void;
  close(): void;
}

export interface UpstreamOptions {
  name: string;
  urls: readonly string[];
  patience: Patience;
  clock: Clock;
  log: Log;
}

const LEFT_OUT_MS = 5_000;
const IDLE_CONNECTIONS = 64;

/** A service behind the edge: one or several processes that can do the same. */
export function createUpstream({ name, urls, patience, clock, log }: UpstreamOptions): Upstream {
  const all = urls.map((url) => createTarget(new URL(url)));
  const outUntil = new Map<Target, number>();
  let turn = 0;

  const isOut = (target: Target): boolean => (outUntil.get(target) ?? 0) > clock.now();

  return {
    name,
    patience,
    targets() {
      turn = (turn + 1) % all.length;
      const inTurn = [...all.slice(turn), ...all.slice(0, turn)];
      return [...inTurn.filter((target) => !isOut(target)), ...inTurn.filter(isOut)];
    },
    leaveOut(target, why) {
      if (!outUntil.has(target)) log.warn(`${name} at ${target.origin} takes no requests: ${why}`);
      outUntil.set(target, clock.now() + LEFT_OUT_MS);
    },
    takeIn(target) {
      if (outUntil.delete(target)) log.info(`${name} at ${target.origin} takes requests again`);
    },
    close() {
      for (const target of all) target.close();
    },
  };
}

function createTarget(url: URL): Target {
  const { request, Agent } = url.protocol === 'https:' ? https : http;
  const kept = new Agent({ keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS, scheduling: 'lifo' });
  const once = new Agent({ keepAlive: false });
  const address = {
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port || undefined,
  };
  return {
    origin: url.origin,
    host: url.host,
    prefix: url.pathname.replace(/\/$/, ''),
    request: (options, fresh) => request({ ...options, ...address, agent: fresh ? once : kept }),
    close() {
      kept.destroy();
      once.destroy();
    },
  };
}
