import { type Static, Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { creditsDeducted } from '../../kit/credits.events.ts';
import { pageQuery, pageReply } from '../../kit/page.ts';
import { closed, NullableInteger, NullableText, named } from '../../kit/schemas.ts';
import { LOGGED_EVENTS } from '../realtime/events.contract.ts';
import { presenceUpdate } from '../realtime/presence.events.ts';

/** Spec 2 §6.3. */
const WEBHOOK_EVENTS = [...LOGGED_EVENTS, presenceUpdate, creditsDeducted].map(({ name }) => name);
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The default: everything except presence. */
export const USUAL_EVENTS: readonly WebhookEvent[] = WEBHOOK_EVENTS.filter(
  (type) => type !== presenceUpdate.name,
);

/** Sent instead of single events after mass changes, whatever the webhook's filter. */
export const CATCH_UP = 'catch_up';
export const TEST_EVENT = 'test';

const Time = Type.String({ format: 'date-time' });
const EventTypes = Type.Array(Type.Enum([...WEBHOOK_EVENTS]), { minItems: 1, uniqueItems: true });
const entityTypes = {
  items: Type.String({ minLength: 1, maxLength: 100 }),
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
};
const NullableEntityTypes = Type.Unsafe<string[] | null>({
  type: ['array', 'null'],
  ...entityTypes,
  description: 'Events about entities of other types are left out; null: of none',
});

const Webhook = named('Webhook', {
  webhook_id: Type.String(),
  url: {
    ...NullableText,
    description: 'Null where it was stored with another ENCRYPTION_KEY: send it again, and rotate the secret',
  },
  description: NullableText,
  events: EventTypes,
  entity_types: NullableEntityTypes,
  enabled: Type.Boolean(),
  disabled_reason: {
    ...NullableText,
    description: 'Why the service disabled it: what its receiver answered last',
  },
  failures: Type.Integer({ description: 'Attempts that failed since the last that did not' }),
  last_success_at: NullableText,
  old_secret_until: { ...NullableText, description: 'Until when the previous secret signs as well' },
  created_at: Time,
  created_by: Type.String(),
  updated_at: Time,
});
export type WebhookReply = Static<typeof Webhook>;

const Delivery = named('WebhookDelivery', {
  delivery_id: Type.String(),
  message_id: { ...Type.String(), description: 'The header `webhook-id`; repeats have the same' },
  event_type: Type.String(),
  state: Type.Enum(['waiting', 'delivered', 'failed']),
  attempts: Type.Integer(),
  next_attempt_at: NullableText,
  status: { ...NullableInteger, description: 'What the receiver answered last' },
  duration_ms: NullableInteger,
  error: { ...NullableText, description: 'Why there was no answer, or what was wrong with it' },
  reply: { ...NullableText, description: 'The first 1,000 characters of the answer' },
  body: { ...Type.String(), description: 'What is sent' },
  attempted_at: NullableText,
  created_at: Time,
});
export type DeliveryReply = Static<typeof Delivery>;

const Url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description: 'http:// or https://; in the cloud https://',
});
const settings = {
  description: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 200 })),
  events: Type.Optional(EventTypes),
  entity_types: Type.Optional(NullableEntityTypes),
  enabled: Type.Optional(Type.Boolean()),
};
const NewWebhook = closed({ url: Url, ...settings });
const ChangedWebhook = closed({ url: Type.Optional(Url), ...settings });
export type WebhookInput = Static<typeof ChangedWebhook>;

const params = Type.Object({ id: Type.String({ maxLength: 64 }) });
const WithSecret = Type.Intersect([
  Webhook,
  Type.Object({ secret: Type.String({ description: 'Checks signatures. It is shown only now' }) }),
]);

const example: WebhookReply = {
  webhook_id: '5d0e1f0a-9a53-4c1c-8a3c-2f6f4c3b2a10',
  url: 'https://wiki.example.com/hooks/canonry',
  description: 'Wiki',
  events: ['entity_updated'],
  entity_types: ['character', 'location'],
  enabled: true,
  disabled_reason: null,
  failures: 0,
  last_success_at: '2026-03-04T05:06:08.120Z',
  old_secret_until: null,
  created_at: '2026-03-04T05:06:07.890Z',
  created_by: '8a52e0d4-6a0f-4a6e-9f0a-0f3c8a1de001',
  updated_at: '2026-03-04T05:06:07.890Z',
};
const secret = 'whsec_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIGFsb25lLCAzMmI=';
const delivery: DeliveryReply = {
  delivery_id: '0b9a7c52-61c7-4c0c-9f0b-3c1f8a3d7e11',
  message_id: 'msg_2c9d1a40-7a3e-4f57-9d9b-7f3f2f1c0a77',
  event_type: 'entity_updated',
  state: 'delivered',
  attempts: 1,
  next_attempt_at: null,
  status: 204,
  duration_ms: 83,
  error: null,
  reply: '',
  body: '{"project_id":"default","cursor":"mhv2c0g0-1c","type":"entity_updated","entity_type":"character","entity_id":"mira_voss","action":"update","updated_fields":["role"],"updated_by":null,"version":4,"checksum":"sha256:5f0c1e9a7b3d2f48c6e5a1b09d8f7e6c5b4a39281706f5e4d3c2b1a09f8e7d6c","timestamp":"2026-03-04T05:06:08.000Z"}',
  attempted_at: '2026-03-04T05:06:08.120Z',
  created_at: '2026-03-04T05:06:08.040Z',
};
const ids = { id: example.webhook_id };
const body = {
  url: example.url,
  description: 'Wiki',
  events: example.events,
  entity_types: example.entity_types,
};

const byAdmins = {
  auth: 'bearer',
  role: PERMISSIONS.manage_settings,
  project: true,
  tag: 'Webhooks',
} as const;

export const createWebhook = contract('POST /api/webhooks', {
  ...byAdmins,
  name: 'createWebhook',
  summary: 'Send events to an address',
  description: `From now on each event of the project is sent there by POST as JSON, signed as Standard Webhooks has it (\`webhook-id\`, \`webhook-timestamp\` and \`webhook-signature\`, the HMAC-SHA256 of \`<id>.<timestamp>.<body>\`; its libraries check it): the event's own fields, \`project_id\`, and for events that are kept a \`cursor\`. The reply holds the secret, which is shown only now.
\`events\` are all but \`presence_update\` unless said. \`{"type": "catch_up", cursor}\` means that more happened than is told one by one, as in a mass import: read what you need anew; it is sent whatever the filters.
A 2xx within 15 seconds takes the event. Anything else is tried again, ten times in all over about a day; \`Retry-After\` is honoured, redirects are not followed. Events may come twice (with the same \`webhook-id\`) and in another order. \`presence_update\` and \`brainbits_deducted\` are hints that a crash can lose: add up expenses from \`GET /api/billing/usage-history\`. A receiver that answers 410, or that took nothing for all that time, is disabled.`,
  body: NewWebhook,
  reply: WithSecret,
  status: 201,
  errors: [409],
  example: { body, reply: { ...example, last_success_at: null, secret } },
});

export const listWebhooks = contract('GET /api/webhooks', {
  ...byAdmins,
  name: 'listWebhooks',
  summary: 'The webhooks of a project',
  reply: Type.Object({ webhooks: Type.Array(Webhook) }),
  errors: [404],
  example: { reply: { webhooks: [example] } },
});

export const getWebhook = contract('GET /api/webhooks/{id}', {
  ...byAdmins,
  name: 'getWebhook',
  summary: 'One webhook, and how its receiver is doing',
  params,
  reply: Webhook,
  errors: [404],
  example: { params: ids, reply: example },
});

export const updateWebhook = contract('PUT /api/webhooks/{id}', {
  ...byAdmins,
  name: 'updateWebhook',
  summary: 'Change, disable or enable a webhook',
  description:
    'What is left out stays. A webhook that is enabled again goes on where it stopped, as far as the event log reaches back (7 days); what it cannot tell one by one any more is one `catch_up`.',
  params,
  body: ChangedWebhook,
  reply: Webhook,
  errors: [404],
  example: { params: ids, body: { enabled: true }, reply: example },
});

export const deleteWebhook = contract('DELETE /api/webhooks/{id}', {
  ...byAdmins,
  name: 'deleteWebhook',
  summary: 'End a webhook',
  description: 'What waits to be sent is not sent any more.',
  params,
  reply: Type.Object({ message: Type.String() }),
  errors: [404],
  example: { params: ids, reply: { message: 'The webhook has ended' } },
});

export const rotateWebhookSecret = contract('POST /api/webhooks/{id}/rotate-secret', {
  ...byAdmins,
  name: 'rotateWebhookSecret',
  summary: 'A new secret for a webhook',
  description:
    'For a day the secret before it signs as well (`webhook-signature` then holds two), so that a receiver can change in its own time. Rotating again within the day ends the older one at once.',
  params,
  reply: WithSecret,
  errors: [404],
  example: { params: ids, reply: { ...example, old_secret_until: '2026-03-05T05:06:07.890Z', secret } },
});

export const testWebhook = contract('POST /api/webhooks/{id}/test', {
  ...byAdmins,
  name: 'testWebhook',
  summary: 'Send a test event now',
  description:
    'Sends `{"type": "test", project_id, timestamp}` once, whether the webhook is enabled or not, and tells what became of it.',
  params,
  reply: Delivery,
  errors: [404],
  example: { params: ids, reply: { ...delivery, event_type: TEST_EVENT } },
});

export const listWebhookDeliveries = contract('GET /api/webhooks/{id}/deliveries', {
  ...byAdmins,
  name: 'listWebhookDeliveries',
  summary: 'What was sent and what waits, the newest first',
  description: 'What has ended is kept for 30 days, the last 1,000 of a webhook.',
  params,
  query: Type.Object(pageQuery),
  reply: pageReply({ deliveries: Type.Array(Delivery) }),
  errors: [404],
  example: { params: ids, reply: { total: 1, offset: 0, limit: 50, deliveries: [delivery] } },
});

export const redeliver = contract('POST /api/webhooks/{id}/deliveries/{delivery_id}/redeliver', {
  ...byAdmins,
  name: 'redeliverWebhook',
  summary: 'Send a delivery once more',
  description: 'As a delivery of its own with the same `webhook-id`, tried as often as any.',
  params: Type.Object({ id: Type.String({ maxLength: 64 }), delivery_id: Type.String({ maxLength: 64 }) }),
  reply: Delivery,
  status: 201,
  errors: [404, 409],
  example: {
    params: { ...ids, delivery_id: delivery.delivery_id },
    reply: {
      ...delivery,
      delivery_id: '7f1f5a0e-3a65-4a86-8c0c-4f1de0a3b9c2',
      state: 'waiting',
      attempts: 0,
      next_attempt_at: '2026-03-04T05:10:00.000Z',
      status: null,
      duration_ms: null,
      reply: null,
      attempted_at: null,
    },
  },
});
