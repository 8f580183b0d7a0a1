import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, key, notNull, nullable } from '../../platform/database/tables.ts';
import type { RecordTables } from '../../world/records/index.ts';

export interface WebhookRow {
  webhook_id: string;
  tenant_id: string;
  project_id: string;
  /** Sealed: addresses may contain secrets. */
  url: string;
  description: string | null;
  /** JSON list of event types. */
  events: string;
  /** JSON list; null for all. */
  entity_types: string | null;
  enabled: number;
  /** Why the service disabled it; null if it did not. */
  disabled_reason: string | null;
  /** Sealed. */
  secret: string;
  /** Sealed; also signs until `old_secret_until`. */
  old_secret: string | null;
  old_secret_until: string | null;
  /** The position reached in the project's log. */
  seq: number;
  /** Since the last success. */
  failures: number;
  /** Nothing is sent before this time (ms). */
  rests_until: number;
  /** 1 if the last attempts failed or were slow: such receivers have a queue of their own. */
  slow: number;
  last_success_at: string | null;
  created_at: string;
  created_by: string;
  updated_at: string;
}

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

/** One event for one webhook. */
export interface DeliveryRow {
  delivery_id: string;
  tenant_id: string;
  webhook_id: string;
  /** Deterministic: receivers recognize repeats by it. */
  message_id: string;
  event_type: string;
  body: string;
  /** Number in the log; 0 for an event that is not logged. */
  seq: number;
  state: DeliveryState;
  attempts: number;
  /** Milliseconds; null once finished, or while the webhook is disabled. */
  due_at: number | null;
  /** Of the last attempt. */
  status: number | null;
  duration_ms: number | null;
  error: string | null;
  reply: string | null;
  attempted_at: string | null;
  created_at: string;
}

export interface WebhookTables {
  webhooks: WebhookRow;
  webhook_deliveries: DeliveryRow;
}

export type WebhooksDb = Kysely<WebhookTables & RecordTables>;

export const webhookMigrations: readonly Migration[] = [
  {
    name: 'webhooks-1',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'webhooks', [
        key(text, 'webhook_id'),
        notNull(text, 'tenant_id', 'project_id', 'url'),
        nullable(text, 'description'),
        notNull(text, 'events'),
        nullable(text, 'entity_types'),
        notNull('integer', 'enabled'),
        nullable(text, 'disabled_reason'),
        notNull(text, 'secret'),
        nullable(text, 'old_secret', 'old_secret_until'),
        notNull(bigint, 'seq'),
        notNull('integer', 'failures'),
        notNull(bigint, 'rests_until'),
        notNull('integer', 'slow'),
        nullable(text, 'last_success_at'),
        notNull(text, 'created_at', 'created_by', 'updated_at'),
      ]);
      await createIndex(schema, 'webhooks_by_project', 'webhooks', ['tenant_id', 'project_id']);
      await createTable(schema, 'webhook_deliveries', [
        key(text, 'delivery_id'),
        notNull(text, 'tenant_id', 'webhook_id', 'message_id', 'event_type', 'body'),
        notNull(bigint, 'seq'),
        notNull(text, 'state'),
        notNull('integer', 'attempts'),
        nullable(bigint, 'due_at'),
        nullable('integer', 'status', 'duration_ms'),
        nullable(text, 'error', 'reply', 'attempted_at'),
        notNull(text, 'created_at'),
      ]);
      for (const [name, columns] of DELIVERY_INDEXES) {
        await createIndex(schema, `webhook_deliveries_${name}`, 'webhook_deliveries', columns);
      }
    },
  },
];

const DELIVERY_INDEXES = [
  ['by_time', ['webhook_id', 'created_at', 'seq']],
  ['by_state', ['webhook_id', 'state', 'due_at']],
  ['by_due', ['due_at']],
  ['by_age', ['created_at']],
] as const;
