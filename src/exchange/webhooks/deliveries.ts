import { isoTime } from '../../kit/clock.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { newId } from '../../kit/ids.ts';
import type { DeliveryRow, WebhookRow } from './webhooks.tables.ts';

/** A webhook with this many waiting deliveries stops reading the log, which keeps the rest. */
export const MOST_WAITING = 500;

export interface NewDelivery {
  type: string;
  body: string;
  seq: number;
  now: number;
  dueAt?: number;
  messageId?: string;
}

/** Deterministic, so that an event read twice from the log is the same message. */
export const messageIdOf = ({ webhook_id }: Pick<WebhookRow, 'webhook_id'>, body: string): string =>
  `msg_${sha256Hex(`${webhook_id} ${body}`).slice(0, 32)}`;

export const newDelivery = (
  { tenant_id, webhook_id }: Pick<WebhookRow, 'tenant_id' | 'webhook_id'>,
  { type, body, seq, now, dueAt = now, messageId = `msg_${newId()}` }: NewDelivery,
): DeliveryRow => ({
  delivery_id: newId(),
  tenant_id,
  webhook_id,
  message_id: messageId,
  event_type: type,
  body,
  seq,
  state: 'waiting',
  attempts: 0,
  due_at: dueAt,
  status: null,
  duration_ms: null,
  error: null,
  reply: null,
  attempted_at: null,
  created_at: isoTime(now),
});
