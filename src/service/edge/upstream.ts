import http from 'node:http';
import https from 'node:https';
import type { Clock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { Timeouts } from './timeouts.ts';

export interface Target {
  origin: string;
  host: string;
  /** The path prefix of its routes; empty for the root. */
  prefix: string;
  /** With `fresh`, the request takes a new connection instead of a kept one that may be about to close. */
  request(options: http.RequestOptions, fresh: boolean): http.ClientRequest;
  close(): void;
}

export interface Upstream {
  name: string;
  timeouts: Timeouts;
  /** All processes in the order to try them: first those that answer, round robin, then those that failed recently. */
  targets(): Target[];
  /** Leaves a process out for a while. */
  markDown(target: Target, why: string): void;
  /** Notes that a process accepts requests again. */
  markUp(target: Target): void;
  close(): void;
}

export interface UpstreamOptions {
  name: string;
  urls: readonly string[];
  timeouts: Timeouts;
  clock: Clock;
  log: Log;
}

const LEFT_OUT_MS = 5_000;
const IDLE_CONNECTIONS = 64;

/** A service behind the edge, served by one or several equal processes. */
export function createUpstream({ name, urls, timeouts, clock, log }: UpstreamOptions): Upstream {
  const all = urls.map((url) => createTarget(new URL(url)));
  const outUntil = new Map<Target, number>();
  let turn = 0;

  const isOut = (target: Target): boolean => (outUntil.get(target) ?? 0) > clock.now();

  return {
    name,
    timeouts,
    targets() {
      turn = (turn + 1) % all.length;
      const inTurn = [...all.slice(turn), ...all.slice(0, turn)];
      return [...inTurn.filter((target) => !isOut(target)), ...inTurn.filter(isOut)];
    },
    markDown(target, why) {
      if (!outUntil.has(target)) log.warn(`${name} at ${target.origin} takes no requests: ${why}`);
      outUntil.set(target, clock.now() + LEFT_OUT_MS);
    },
    markUp(target) {
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
