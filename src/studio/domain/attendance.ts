import type { listPresence } from '../../exchange/realtime/presence.contract.ts';
import type { presenceUpdate } from '../../exchange/realtime/presence.events.ts';
import type { ReplyOf } from '../../kit/contract.ts';
import type { EventOf } from './server-events.ts';

export type Attendant = ReplyOf<typeof listPresence>['users'][number];

/** When the service forgets a connection that broke. */
const GONE_AFTER_MS = 45_000;

export const isHere = ({ last_seen }: Attendant, now: number): boolean =>
  Date.parse(last_seen) + GONE_AFTER_MS > now;

/** An event is about a user as a whole, and does not say the field. */
export function withUpdate(
  people: readonly Attendant[],
  update: EventOf<typeof presenceUpdate>,
  project: string,
): Attendant[] {
  const { user_id, user_name, status, entity_type, entity_id, timestamp } = update;
  const others = people.filter((each) => each.user_id !== user_id);
  if (status === 'offline') return others;
  const before = people.find((each) => each.user_id === user_id && each.entity_id === entity_id);
  const now: Attendant = {
    user_id,
    user_name,
    status,
    entity_type,
    entity_id,
    field: before?.entity_type === entity_type ? before.field : null,
    project_id: before?.project_id ?? project,
    client: before?.client ?? 'web',
    last_seen: timestamp,
  };
  return [...others, now];
}

/** Each person once. The field of a text may name a heading: `markdown_body#who-she-is` is within `markdown_body`. */
export function peopleAt(
  people: readonly Attendant[],
  { type, id, field }: { type: string; id: string; field: string | undefined },
): Attendant[] {
  const found = people.filter(
    (each) =>
      each.entity_type === type &&
      each.entity_id === id &&
      (field === undefined || each.field === field || each.field?.startsWith(`${field}#`)),
  );
  return [...new Map(found.map((each) => [each.user_id, each])).values()];
}
