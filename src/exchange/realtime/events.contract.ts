import { type Static, Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { NullableText } from '../../kit/nullable.ts';

const Text = Type.String();
const Count = Type.Integer({ minimum: 0 });
const Timestamp = Type.String({ format: 'date-time' });

const EntityUpdated = Type.Object(
  {
    type: Type.Literal('entity_updated'),
    entity_type: Text,
    entity_id: Text,
    action: Type.Enum(['create', 'update', 'delete', 'restore']),
    updated_fields: Type.Array(Text, { description: 'Empty where they are not known, as for a file' }),
    updated_by: { ...NullableText, description: 'Who made the change; null for one made to a file' },
    timestamp: Timestamp,
  },
  { $id: 'EntityUpdatedEvent' },
);

const SyncCompleted = Type.Object(
  {
    type: Type.Literal('sync_completed'),
    entities_synced: Count,
    errors: Count,
    duration_ms: Count,
    timestamp: Timestamp,
  },
  { $id: 'SyncCompletedEvent' },
);

const AssetProcessed = Type.Object(
  {
    type: Type.Literal('asset_processed'),
    asset_id: Text,
    entity_type: NullableText,
    entity_id: NullableText,
    processing_type: Text,
    status: Text,
    timestamp: Timestamp,
  },
  { $id: 'AssetProcessedEvent' },
);

const PresenceUpdate = Type.Object({
  type: Type.Literal('presence_update'),
  user_id: Text,
  user_name: Text,
  status: Type.Enum(['online', 'offline', 'editing', 'idle']),
  entity_type: NullableText,
  entity_id: NullableText,
  timestamp: Timestamp,
});

const CreditsDeducted = Type.Object({
  type: Type.Literal('brainbits_deducted'),
  amount: Count,
  remaining: Count,
  operation: Text,
  timestamp: Timestamp,
});

const OperationProgress = Type.Object({
  type: Type.Literal('operation_progress'),
  operation_id: Text,
  kind: Text,
  label: Text,
  status: Text,
  done: Count,
  total: Count,
  timestamp: Timestamp,
});

/** Events that are told as they happen and not kept: what they tell of can be asked for at any time. */
export const LIVE_EVENTS = [PresenceUpdate, CreditsDeducted, OperationProgress];

/** Events that stay in the log, so that they can be caught up with. */
const LoggedEvent = Type.Union([
  Type.Intersect([Type.Object({ cursor: Text }), EntityUpdated]),
  Type.Intersect([Type.Object({ cursor: Text }), SyncCompleted]),
  Type.Intersect([Type.Object({ cursor: Text }), AssetProcessed]),
]);

const Events = Type.Object(
  {
    events: Type.Array(LoggedEvent),
    cursor: Type.String({ description: 'Send it next time' }),
    has_more: Type.Boolean(),
    reset: Type.Boolean({
      description:
        'More happened than the log names, or the cursor is too old: read what you show anew, then go on from `cursor`',
    }),
  },
  { $id: 'Events' },
);
export type EventsReply = Static<typeof Events>;

export const listEvents = contract({
  name: 'listEvents',
  method: 'GET',
  path: '/api/events',
  auth: 'bearer',
  project: true,
  tag: 'Realtime',
  summary: 'What happened in a project since a cursor',
  description:
    'For whoever was away: events in the order of their commits, none left out and none twice. Without a cursor there are no events, only the cursor of this moment. Events are kept for 7 days, the last 100,000 of a project at most; a mass import is one `reset`. Presence and credits are not among them: they are read as they are now.',
  query: Type.Object({
    cursor: Type.Optional(Type.String({ maxLength: 40, description: 'Of an earlier reply or event' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 200 })),
  }),
  reply: Events,
  errors: [404],
  example: {
    query: { cursor: 'mhv2c0g0-1a' },
    reply: {
      events: [
        {
          cursor: 'mhv2c0g0-1c',
          type: 'entity_updated',
          entity_type: 'character',
          entity_id: 'mira_voss',
          action: 'update',
          updated_fields: ['role'],
          updated_by: '8a52e0d4-6a0f-4a6e-9f0a-0f3c8a1de001',
          timestamp: '2026-03-01T12:00:00.000Z',
        },
      ],
      cursor: 'mhv2c0g0-1c',
      has_more: false,
      reset: false,
    },
  },
});
