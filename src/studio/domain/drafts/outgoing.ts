import { isMap, type JsonMap } from '../../../text/json.ts';
import { BODY, isSame, keysOf, overlaps, valueAt, withValueAt } from '../field-path.ts';
import { bodyOf, type Changes, type Draft, type EntityState, partOf, type Sending } from './draft.ts';
import { idOfName } from './new-id.ts';

/** Body of a PUT. Maps are merged key by key by the service, so a map that is one value says that it replaces. */
export interface SaveBody {
  name?: string;
  status?: string;
  primary_asset?: string | null;
  production_status?: JsonMap | null;
  fields?: JsonMap;
  markdown_body?: string;
  base_version: number;
  on_conflict: 'report';
}

/** Body of a POST. */
export interface CreateBody {
  entity_id: string;
  name: string;
  status?: string;
  fields?: JsonMap;
  markdown_body?: string;
}

/** Other parts are saved right after the creation. A part of a map would replace the template's whole map. */
function isInCreation(path: string): boolean {
  const [part = '', ...below] = keysOf(path);
  return part === 'fields' ? below.length === 1 : part === 'name' || part === 'status';
}

/** The changes to send now: all but open conflicts and values that the service refused. Null if there are none. */
export function outgoing(draft: Draft, refused: readonly string[]): Sending | null {
  const { base, changes, conflicts } = draft;
  if (draft.sending !== null) return draft.sending;
  const held = [...Object.keys(conflicts), ...refused];
  const isFree = (path: string) => !held.some((each) => overlaps(each, path));
  const free = Object.fromEntries(Object.entries(changes).filter(([path]) => isFree(path)));
  const body = isFree(BODY) ? draft.body : null;
  if (base === null) return creation(draft, free, body);
  if (body === null && Object.keys(free).length === 0) return null;
  return { changes: free, body, base_version: base.version, entity_id: null };
}

function creation(draft: Draft, free: Changes, body: string | null): Sending | null {
  const name = nameOf(draft);
  if (name === '' || !Object.hasOwn(free, 'name')) return null;
  const sayable = Object.entries(free).filter(([path]) => isInCreation(path));
  return {
    changes: Object.fromEntries(sayable),
    body,
    base_version: null,
    entity_id: draft.entity_id ?? idOfName(name, draft.key.type),
  };
}

export function nameOf(draft: Draft): string {
  const name = partOf(draft, 'name');
  return typeof name === 'string' ? name.trim() : '';
}

export function saveBody({ changes, body, base_version }: Sending): SaveBody {
  const parts = Object.entries(changes).reduce<JsonMap>(
    (map, [path, value]) => withValueAt(map, path, isMap(value) ? { $replace: value } : value),
    {},
  );
  return {
    ...parts,
    ...(body !== null && { [BODY]: body }),
    base_version: base_version ?? 1,
    on_conflict: 'report',
  };
}

export function createBody({ changes, body, entity_id }: Sending): CreateBody {
  const parts = Object.entries(changes)
    .filter(([, value]) => value !== null)
    .reduce<JsonMap>((map, [path, value]) => withValueAt(map, path, value), {});
  const name = String(parts.name).trim();
  return { ...parts, ...(body !== null && { [BODY]: body }), name, entity_id: entity_id ?? '' };
}

/** True if the service has the sent changes, which settles a lost answer. */
export function isTaken({ changes, body }: Sending, entity: EntityState): boolean {
  const isBodyTaken = body === null || body === entity.markdown_body;
  return (
    isBodyTaken && Object.entries(changes).every(([path, value]) => isSame(value, valueAt(entity, path)))
  );
}

/** The parts of what was sent that the service has. */
export function takenParts(sent: Sending, entity: EntityState): Sending {
  const changes = Object.entries(sent.changes).filter(([path, value]) =>
    isSame(value, valueAt(entity, path)),
  );
  const body = sent.body === entity.markdown_body ? sent.body : null;
  return { ...sent, changes: Object.fromEntries(changes), body };
}

const MOST_BYTES_OF_A_CHARACTER = 3;

/** Browsers send a request after the page has gone only if it is small. */
export const mayOutliveThePage = (body: object): boolean =>
  JSON.stringify(body).length * MOST_BYTES_OF_A_CHARACTER < 60_000 || byteLength(body) < 60_000;

const byteLength = (body: object): number => new TextEncoder().encode(JSON.stringify(body)).length;

/** The draft as text, for a file that outlives a full store. */
export const draftText = (draft: Draft): string =>
  `${JSON.stringify({ ...draft, base: undefined, body: undefined }, null, 2)}\n\n${bodyOf(draft)}`;
