import { bodyFor, type Change, testText, textOf } from './message.ts';
import type { Settings } from './settings.ts';
import { afterFailure, afterSuccess, countOf, readWaiting, type Waiting, withChange } from './waiting.ts';

interface Reply {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The part of the host that is used here. */
export interface PosterHost {
  settings(): Settings;
  kv: { get(key: string): string | null; set(key: string, value: string): void };
  /** Throws if the host refuses. */
  request(asked: { url: string; method: string; headers: Record<string, string>; body: string }): Reply;
  warn(message: string): void;
  now(): number;
}

const KEY = 'waiting';
const SECOND_MS = 1_000;

/** Posts changes. What cannot be posted now is kept, and goes with a later one. */
export function createPoster({ settings, kv, request, warn, now }: PosterHost) {
  const load = () => readWaiting(kv.get(KEY));
  const keep = (waiting: Waiting) => kv.set(KEY, JSON.stringify(waiting));

  /** Null if it was taken. The address is a secret, so no message has it. */
  function send(body: object, url: string): { error: string; retryAfterMs: number } | null {
    try {
      const headers = { 'content-type': 'application/json' };
      const reply = request({ url, method: 'POST', headers, body: JSON.stringify(body) });
      if (reply.status >= 200 && reply.status < 300) return null;
      const seconds = Number(reply.headers['retry-after']);
      const retryAfterMs = Number.isFinite(seconds) ? seconds * SECOND_MS : 0;
      return { error: `the chat answered ${reply.status}: ${reply.body.slice(0, 200)}`, retryAfterMs };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { error: reason.replaceAll(url, '(the address)'), retryAfterMs: 0 };
    }
  }

  /** At most one message. */
  function post(waiting: Waiting, options: Settings): Waiting {
    if (countOf(waiting) === 0) return waiting;
    if (options.url === null) {
      const next = { ...waiting, error: 'no address of a webhook is set' };
      keep(next);
      return next;
    }
    const failure = send(bodyFor(textOf(waiting, options), options, waiting), options.url);
    const next = failure === null ? afterSuccess(now()) : afterFailure(waiting, failure, now());
    keep(next);
    if (failure !== null) warn(`not posted, ${countOf(next)} waiting: ${failure.error}`);
    return next;
  }

  return {
    /** Of a change: posted now, or kept for later. */
    tell(change: Change): void {
      const options = settings();
      if (!options.tellsOf[change.action]) return;
      if (options.types.size > 0 && !options.types.has(change.type.toLowerCase())) return;
      const waiting = withChange(load(), change);
      // Kept first: the call may end at any time.
      keep(waiting);
      const isTime = now() >= Math.max(waiting.sentAt + options.pauseMs, waiting.notBefore);
      if (isTime) post(waiting, options);
    },

    /** Posts what waits, without a pause. */
    flush: () => shown(post(load(), settings())),

    status: () => shown(load()),

    /** Null if the chat has taken a message that says no more than that it can. */
    test(): string | null {
      const options = settings();
      if (options.url === null) return 'no address of a webhook is set';
      return send(bodyFor(testText(options), options), options.url)?.error ?? null;
    },
  };
}

const shown = (waiting: Waiting) => ({
  waiting: countOf(waiting),
  sent_at: waiting.sentAt === 0 ? null : new Date(waiting.sentAt).toISOString(),
  failures: waiting.failures,
  error: waiting.error,
});
