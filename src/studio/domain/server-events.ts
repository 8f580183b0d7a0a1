import type { Static, TSchema } from 'typebox';
import type { presenceUpdate } from '../../exchange/realtime/presence.events.ts';
import type { creditsDeducted } from '../../kit/credits.events.ts';
import { isMap } from '../../text/json.ts';
import type { assetProcessed } from '../../world/assets/asset.events.ts';
import type { operationProgress } from '../../world/changesets/operation.events.ts';
import type { syncCompleted } from '../../world/mirror/sync.events.ts';
import type { pluginChanged, pluginEvent } from '../../world/plugins/plugins.events.ts';
import type { entityUpdated } from '../../world/records/entity.events.ts';

export type EventOf<Definition extends { schema: TSchema }> = Static<Definition['schema']>;

export type EntityUpdated = EventOf<typeof entityUpdated> & { version?: number };

/** An event of the socket, with its place in the log where it has one. */
export type ServerEvent = (
  | EntityUpdated
  | EventOf<typeof syncCompleted>
  | EventOf<typeof assetProcessed>
  | EventOf<typeof presenceUpdate>
  | EventOf<typeof creditsDeducted>
  | EventOf<typeof operationProgress>
  | EventOf<typeof pluginChanged>
  | EventOf<typeof pluginEvent>
  /** More happened than was told: everything that is shown must be read again. */
  | { type: 'reset' }
) & { cursor?: string };

export type SocketMessage =
  | { kind: 'ready'; cursor: string; userId: string }
  | { kind: 'catch-up'; cursor: string }
  | { kind: 'pong' }
  | { kind: 'event'; event: ServerEvent }
  | { kind: 'unknown' };

const EVENTS: ReadonlySet<unknown> = new Set<ServerEvent['type']>([
  'entity_updated',
  'sync_completed',
  'asset_processed',
  'presence_update',
  'brainbits_deducted',
  'operation_progress',
  'plugin_changed',
  'plugin_event',
]);

/** A service that is newer than this page may say more: what is not known is passed over. */
export function readSocketMessage(text: string): SocketMessage {
  const message = parsed(text);
  if (!isMap(message)) return { kind: 'unknown' };
  const { type, cursor, user_id } = message;
  if (type === 'ready') return { kind: 'ready', cursor: String(cursor), userId: String(user_id) };
  if (type === 'catch_up') return { kind: 'catch-up', cursor: String(cursor) };
  if (type === 'pong') return { kind: 'pong' };
  return EVENTS.has(type) ? { kind: 'event', event: message as ServerEvent } : { kind: 'unknown' };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The effect of an event on the data that this page has read. */
export type News =
  | { kind: 'nothing' }
  | { kind: 'entity'; change: 'stale' | 'gone'; type: string; id: string }
  | { kind: 'plugins' }
  | { kind: 'everything' };

/** Fields that the service works out of a state, without a new version. */
const DERIVED: ReadonlySet<string> = new Set(['is_valid', 'validation_errors']);

/** `known`: the version that this page has, from the cache or a save of its own; undefined if it has none. */
export function newsOf(event: ServerEvent, known: (type: string, id: string) => number | undefined): News {
  if (event.type === 'reset' || event.type === 'sync_completed') return { kind: 'everything' };
  if (event.type === 'plugin_changed') return { kind: 'plugins' };
  if (event.type !== 'entity_updated') return { kind: 'nothing' };
  const { entity_type: type, entity_id: id, action, version, updated_fields: fields } = event;
  if (action === 'delete') return { kind: 'entity', change: 'gone', type, id };
  const isOfDerived = fields.length > 0 && fields.every((field) => DERIVED.has(field));
  const isKnown = version !== undefined && version <= (known(type, id) ?? 0);
  return isKnown && !isOfDerived ? { kind: 'nothing' } : { kind: 'entity', change: 'stale', type, id };
}
