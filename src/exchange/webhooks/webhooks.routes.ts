import { isoTime } from '../../kit/clock.ts';
import { Reply, type Route, route } from '../../kit/route.ts';
import { type ProjectRequest, type Projects, requestProject } from '../../world/projects/index.ts';
import type { Deliveries } from './deliveries.service.ts';
import { entityTypesOf, eventsOf } from './wants.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';
import {
  createWebhook,
  type DeliveryReply,
  deleteWebhook,
  getWebhook,
  listWebhookDeliveries,
  listWebhooks,
  redeliver,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type WebhookReply,
} from './webhooks.contract.ts';
import type { Webhooks } from './webhooks.service.ts';
import type { DeliveryRow, WebhookRow } from './webhooks.tables.ts';

export interface WebhookRouteOptions {
  projects: Projects;
  webhooks: Webhooks;
  deliveries: Deliveries;
  secrets: Pick<WebhookSecrets, 'addressOf'>;
}

export function webhookRoutes({ projects, webhooks, deliveries, secrets }: WebhookRouteOptions): Route[] {
  const projectOf = (request: ProjectRequest) => requestProject(projects, request);
  const shownWebhook = (row: WebhookRow): WebhookReply => ({
    url: addressOf(secrets, row),
    ...settingsOf(row),
  });
  const withSecret = ({ webhook, secret }: { webhook: WebhookRow; secret: string }, status: number) =>
    new Reply({ ...shownWebhook(webhook), secret }, { status, headers: { 'cache-control': 'no-store' } });
  return [
    route(createWebhook, async (request) => {
      const project = await projectOf(request);
      return withSecret(await webhooks.create(project, request.body, request.actor), 201);
    }),
    route(listWebhooks, async (request) => {
      const rows = await webhooks.list(await projectOf(request));
      return { webhooks: rows.map(shownWebhook) };
    }),
    route(getWebhook, async (request) =>
      shownWebhook(await webhooks.get(await projectOf(request), request.params.id)),
    ),
    route(updateWebhook, async (request) =>
      shownWebhook(await webhooks.update(await projectOf(request), request.params.id, request.body)),
    ),
    route(deleteWebhook, async (request) => {
      await webhooks.remove(await projectOf(request), request.params.id);
      return { message: 'The webhook has ended' };
    }),
    route(rotateWebhookSecret, async (request) =>
      withSecret(await webhooks.rotate(await projectOf(request), request.params.id), 200),
    ),
    route(testWebhook, async (request) =>
      shownDelivery(await deliveries.test(await projectOf(request), request.params.id)),
    ),
    route(listWebhookDeliveries, async (request) => {
      const { offset = 0, limit = 50 } = request.query;
      const project = await projectOf(request);
      const { total, rows } = await deliveries.list(project, request.params.id, { offset, limit });
      return { total, offset, limit, deliveries: rows.map(shownDelivery) };
    }),
    route(redeliver, async (request) => {
      const { id, delivery_id } = request.params;
      return shownDelivery(await deliveries.redeliver(await projectOf(request), id, delivery_id));
    }),
  ];
}

/** Null if it cannot be unsealed. */
function addressOf(secrets: Pick<WebhookSecrets, 'addressOf'>, row: WebhookRow): string | null {
  try {
    return secrets.addressOf(row);
  } catch {
    return null;
  }
}

const settingsOf = (row: WebhookRow): Omit<WebhookReply, 'url'> => ({
  webhook_id: row.webhook_id,
  description: row.description,
  events: eventsOf(row) as WebhookReply['events'],
  entity_types: entityTypesOf(row),
  enabled: row.enabled === 1,
  disabled_reason: row.disabled_reason,
  failures: row.failures,
  last_success_at: row.last_success_at,
  old_secret_until: row.old_secret_until,
  created_at: row.created_at,
  created_by: row.created_by,
  updated_at: row.updated_at,
});

const shownDelivery = (row: DeliveryRow): DeliveryReply => ({
  delivery_id: row.delivery_id,
  message_id: row.message_id,
  event_type: row.event_type,
  state: row.state,
  attempts: row.attempts,
  next_attempt_at: row.due_at === null ? null : isoTime(row.due_at),
  status: row.status,
  duration_ms: row.duration_ms,
  error: row.error,
  reply: row.reply,
  body: row.body,
  attempted_at: row.attempted_at,
  created_at: row.created_at,
});
