import { type Static, type TSchema, Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { creditsDeducted } from '../../kit/credits.events.ts';
import type { EventOf } from '../../kit/event.ts';
import { named, Text } from '../../kit/schemas.ts';
import { assetProcessed } from '../../world/assets/asset.events.ts';
import { operationProgress } from '../../world/changesets/operation.events.ts';
import { fillProgress } from '../../world/generation/fill/fill.events.ts';
import { syncCompleted } from '../../world/mirror/sync.events.ts';
import { pluginChanged, pluginEvent } from '../../world/plugins/plugins.events.ts';
import { entityUpdated } from '../../world/records/entity.events.ts';
import { presenceUpdate } from './presence.events.ts';

/** Kept in the log, so that clients can catch up. */
export const LOGGED_EVENTS = [entityUpdated, syncCompleted, assetProcessed] as const;

/** Sent once and not kept: their subject can be queried at any time. */
export const LIVE_EVENTS = [
  presenceUpdate,
  creditsDeducted,
  operationProgress,
  fillProgress,
  pluginChanged,
  pluginEvent,
] as const;

const withCursor = <Schema extends TSchema>(schema: Schema) =>
  Type.Intersect([Type.Object({ cursor: Text }), schema]);
const LoggedEvent = Type.Unsafe<EventOf<(typeof LOGGED_EVENTS)[number]> & { cursor: string }>(
  Type.Union(LOGGED_EVENTS.map(({ schema }) => withCursor(schema))),
);

const Events = named('Events', {
  events: Type.Array(LoggedEvent),
  cursor: Type.String({ description: 'Send it next time' }),
  has_more: Type.Boolean(),
  reset: Type.Boolean({
    description:
      'More happened than the log names, or the cursor is too old: read what you show anew, then go on from `cursor`',
  }),
});
export type EventsReply = Static<typeof Events>;

export const listEvents = contract('GET /api/events', {
  name: 'listEvents',
  auth: 'bearer',
  project: true,
  tag: 'Realtime',
  summary: 'What happened in a project since a cursor',
  description:
    'For clients that were away: events in the order of their commits, none missing and none twice. Without a cursor there are no events, only the current cursor. Events are kept for 7 days, the last 100,000 of a project at most; a mass import is one `reset`. Presence and credits are not among them: they are read as they are now.',
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
          version: 4,
          checksum: `sha256:${'5f'.repeat(32)}`,
          timestamp: '2026-03-01T12:00:00.000Z',
        },
      ],
      cursor: 'mhv2c0g0-1c',
      has_more: false,
      reset: false,
    },
  },
});
