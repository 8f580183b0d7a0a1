import type { Clock } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Receivers } from '../../platform/outgoing/receivers.ts';
import { signedHeaders } from './signature.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';
import type { DeliveryRow, WebhookRow } from './webhooks.tables.ts';

export interface Attempt {
  /** Null if there was no response. */
  status: number | null;
  /** Null if the event was accepted. */
  error: string | null;
  reply: string | null;
  durationMs: number;
  /** The pause the receiver asked for (ms); null if none. */
  retryAfterMs: number | null;
}

export type Send = (
  webhook: WebhookRow,
  message: Pick<DeliveryRow, 'message_id' | 'body'>,
  signal: AbortSignal,
) => Promise<Attempt>;

export interface SendOptions {
  receivers: Receivers;
  secrets: WebhookSecrets;
  clock: Clock;
}

const SHOWN_CHARACTERS = 1_000;

/** Sends a message once. Never rejects: failures are part of the result. */
export const createSend =
  ({ receivers, secrets, clock }: SendOptions): Send =>
  async (webhook, { message_id: id, body }, signal) => {
    const since = performance.now();
    const durationMs = () => Math.round(performance.now() - since);
    try {
      const signed = signedHeaders({ id, at: clock.now(), body }, secrets.good(webhook));
      const headers = { 'content-type': 'application/json', 'user-agent': 'Canonry-Webhooks', ...signed };
      const url = secrets.addressOf(webhook);
      const { status, retryAfter, text } = await receivers.post({ url, headers, body, signal });
      return {
        status,
        error: problemOf(status),
        reply: shown(text),
        durationMs: durationMs(),
        retryAfterMs: waitOf(retryAfter, clock.now()),
      };
    } catch (error) {
      const nothing = { status: null, reply: null, retryAfterMs: null };
      return { ...nothing, error: explained(error), durationMs: durationMs() };
    }
  };

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `It answered ${status}: redirects are not followed, so give the address that it leads to`;
  return `It answered ${status}`;
}

/** PostgreSQL cannot store NUL. */
const shown = (text: string): string => text.slice(0, SHOWN_CHARACTERS).replaceAll('\0', '');

/** The header holds seconds or a date. */
function waitOf(retryAfter: string | null, now: number): number | null {
  if (retryAfter === null) return null;
  const wait = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing takes connections there',
  ECONNRESET: 'The connection was cut before there was an answer',
  EPIPE: 'The connection was cut before there was an answer',
  ENOTFOUND: 'There is no such name',
  EAI_AGAIN: 'The name cannot be looked up now',
  EHOSTUNREACH: 'There is no way to that address',
  ENETUNREACH: 'There is no way to that address',
  ETIMEDOUT: 'The connection could not be made in time',
  HPE_INVALID_CONSTANT: 'What answered is no web server',
};

const LONGEST_ERROR = 300;

function explained(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return WORDS[code] ?? messageOf(error).slice(0, LONGEST_ERROR);
}
