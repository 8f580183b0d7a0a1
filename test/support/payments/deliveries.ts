import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventObject } from './objects.ts';

/** An event as it is sent. */
export interface SentEvent {
  id: string;
  type: string;
  /** The raw body. */
  payload: string;
  /** With the signature `billing-signature`, made now. */
  readonly headers: Record<string, string>;
  event: EventObject;
}

export interface DeliverOptions {
  /** `given` by default. */
  order?: 'given' | 'reversed' | 'shuffled';
  /** Each event two times, the second ones after all others. */
  twice?: boolean;
  /** Events that are not sent. */
  drop?: (event: SentEvent) => boolean;
  /** How many at once; 1 by default. */
  atOnce?: number;
}

export interface Delivered {
  event: SentEvent;
  /** 0 if there was no answer. */
  status: number;
}

/** Sends every new event to an address, until it is accepted. */
export interface Delivery {
  /** Resolves when every event made so far was accepted, or given up after a minute. */
  idle(): Promise<void>;
  /** Every attempt, in order. */
  attempts: Delivered[];
  stop(): Promise<void>;
}

const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 500;
const GIVE_UP_AFTER_MS = 60_000;
const PATIENCE_MS = 10_000;

/** `t=…,v1=…`, with one signature for each secret. */
export function signatureOf(payload: string, secrets: readonly string[], nowMs: number): string {
  const time = Math.floor(nowMs / 1000);
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex')}`,
  );
  return [`t=${time}`, ...signatures].join(',');
}

async function send(url: string, event: SentEvent, signal?: AbortSignal): Promise<number> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: event.payload,
      headers: event.headers,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

const isAccepted = (status: number): boolean => status >= 200 && status < 300;

/** Sends each of them, as often as is asked for, whatever the answers are. */
export async function deliverOnce(
  url: string,
  events: readonly SentEvent[],
  { order = 'given', twice = false, drop = () => false, atOnce = 1 }: DeliverOptions = {},
): Promise<Delivered[]> {
  const wanted = events.filter((event) => !drop(event));
  const list = ordered(twice ? [...wanted, ...wanted] : wanted, order);
  const delivered: Delivered[] = [];
  const waiting = list.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const event of waiting) delivered.push({ event, status: await send(url, event) });
    }),
  );
  return delivered;
}

function ordered(events: SentEvent[], order: DeliverOptions['order']): SentEvent[] {
  if (order === 'reversed') return events.reverse();
  if (order !== 'shuffled') return events;
  return events
    .map((event) => ({ event, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ event }) => event);
}

export function startDelivery(url: string): Delivery & { take(event: SentEvent): void } {
  const stopped = new AbortController();
  const running = new Set<Promise<void>>();
  const attempts: Delivered[] = [];

  async function until(event: SentEvent): Promise<void> {
    const deadline = performance.now() + GIVE_UP_AFTER_MS;
    for (let wait = FIRST_WAIT_MS; performance.now() < deadline; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      const status = await send(url, event, stopped.signal);
      if (stopped.signal.aborted) return;
      attempts.push({ event, status });
      if (isAccepted(status)) return;
      await pause(wait, undefined, { signal: stopped.signal }).catch(() => {});
      if (stopped.signal.aborted) return;
    }
  }

  return {
    attempts,
    take(event) {
      const work = until(event).finally(() => running.delete(work));
      running.add(work);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
    async stop() {
      stopped.abort();
      await Promise.all(running);
    },
  };
}
