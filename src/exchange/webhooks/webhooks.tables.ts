import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';
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
      await schema
        .createTable('webhooks')
        .addColumn('webhook_id', text, (c) => c.primaryKey())
        .addColumn('tenant_id', text, (c) => c.notNull())
        .addColumn('project_id', text, (c) => c.notNull())
        .addColumn('url', text, (c) => c.notNull())
        .addColumn('description', text)
        .addColumn('events', text, (c) => c.notNull())
        .addColumn('entity_types', text)
        .addColumn('enabled', 'integer', (c) => c.notNull())
        .addColumn('disabled_reason', text)
        .addColumn('secret', text, (c) => c.notNull())
        .addColumn('old_secret', text)
        .addColumn('old_secret_until', text)
        .addColumn('seq', bigint, (c) => c.notNull())
        .addColumn('failures', 'integer', (c) => c.notNull())
        .addColumn('rests_until', bigint, (c) => c.notNull())
        .addColumn('slow', 'integer', (c) => c.notNull())
        .addColumn('last_success_at', text)
        .addColumn('created_at', text, (c) => c.notNull())
        .addColumn('created_by', text, (c) => c.notNull())
        .addColumn('updated_at', text, (c) => c.notNull())
        .execute();
      await schema
        .createIndex('webhooks_by_project')
        .on('webhooks')
        .columns(['tenant_id', 'project_id'])
        .execute();
      await schema
        .createTable('webhook_deliveries')
        .addColumn('delivery_id', text, (c) => c.primaryKey())
        .addColumn('tenant_id', text, (c) => c.notNull())
        .addColumn('webhook_id', text, (c) => c.notNull())
        .addColumn('message_id', text, (c) => c.notNull())
        .addColumn('event_type', text, (c) => c.notNull())
        .addColumn('body', text, (c) => c.notNull())
        .addColumn('seq', bigint, (c) => c.notNull())
        .addColumn('state', text, (c) => c.notNull())
        .addColumn('attempts', 'integer', (c) => c.notNull())
        .addColumn('due_at', bigint)
        .addColumn('status', 'integer')
        .addColumn('duration_ms', 'integer')
        .addColumn('error', text)
        .addColumn('reply', text)
        .addColumn('attempted_at', text)
        .addColumn('created_at', text, (c) => c.notNull())
        .execute();
      for (const [name, columns] of DELIVERY_INDEXES) {
        await schema
          .createIndex(`webhook_deliveries_${name}`)
          .on('webhook_deliveries')
          .columns([...columns])
          .execute();
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
