import type { ReplyOf } from '../../../kit/contract.ts';
import type { getEntity } from '../../../world/entities/entities.contract.ts';
import { BODY, isSame, isWithin, keysOf, overlaps, pathOf, valueAt, withValueAt } from '../field-path.ts';

export type EntityState = ReplyOf<typeof getEntity>;

/** The parts of an entity that a draft starts from. */
export type Base = Pick<
  EntityState,
  | 'version'
  | 'name'
  | 'status'
  | 'primary_asset'
  | 'production_status'
  | 'fields'
  | 'markdown_body'
  | 'updated_at'
  | 'updated_by'
>;

export interface DraftKey {
  account: string;
  project: string;
  type: string;
  /** The entity's id, or a local one until the service has the entity (`isLocal`). */
  id: string;
}

export type Changes = Readonly<Record<string, unknown>>;

/** Two people changed one part: what it was, and what the service has now. Mine is the draft's. */
export interface PartConflict {
  base: unknown;
  theirs: unknown;
  /** A user's id; null where a file was changed. */
  by: string | null;
}

/** Changes sent but not answered. If the answer is lost, exactly these are settled or sent again: nothing doubles. */
export interface Sending {
  changes: Changes;
  body: string | null;
  /** Null for the creation of an entity. */
  base_version: number | null;
  /** The id that a creation asks for. */
  entity_id: string | null;
}

/** A user's changes that the service has not taken yet. */
export interface Draft {
  key: DraftKey;
  /** Null until the entity exists. */
  base: Base | null;
  /** By path (`pathOf`); null clears a part. */
  changes: Changes;
  /** The text on the screen where it differs from the base's. */
  body: string | null;
  /** By path, and `markdown_body`. They are not sent until they are resolved. */
  conflicts: Readonly<Record<string, PartConflict>>;
  sending: Sending | null;
  /** The id that the user chose for a new entity. */
  entity_id: string | null;
  /** Offset in the body. */
  cursor: number | null;
  /** Milliseconds since 1970. */
  changed_at: number;
  /** The tab that changed it last. */
  tab: string;
}

const LOCAL = 'new:';
export const isLocalId = (id: string): boolean => id.startsWith(LOCAL);
export const isLocal = ({ id }: DraftKey): boolean => isLocalId(id);
export const localId = (unique: string): string => `${LOCAL}${unique}`;
export const rowKeyOf = ({ account, project, type, id }: DraftKey): string[] => [account, project, type, id];
export const keyText = (key: DraftKey): string => JSON.stringify(rowKeyOf(key));

export const emptyDraft = (key: DraftKey, base: Base | null, tab: string): Draft => ({
  key,
  base,
  changes: {},
  body: null,
  conflicts: {},
  sending: null,
  entity_id: null,
  cursor: null,
  changed_at: 0,
  tab,
});

export const baseOf = (entity: Base): Base => ({
  version: entity.version,
  name: entity.name,
  status: entity.status,
  primary_asset: entity.primary_asset,
  production_status: entity.production_status,
  fields: entity.fields,
  markdown_body: entity.markdown_body,
  updated_at: entity.updated_at,
  updated_by: entity.updated_by,
});

/** A new entity holds something as soon as anything was typed. */
export const isUnsaved = ({ changes, body, sending }: Draft): boolean =>
  body !== null || sending !== null || Object.keys(changes).length > 0;

export const bodyOf = ({ base, body }: Draft): string => body ?? base?.markdown_body ?? '';

/** The value on the screen. */
export function partOf({ base, changes }: Pick<Draft, 'base' | 'changes'>, path: string): unknown {
  const above = Object.keys(changes).find((changed) => isWithin(path, changed));
  if (above !== undefined) return below(changes[above], path, above);
  const inside = Object.entries(changes).filter(([changed]) => isWithin(changed, path));
  if (inside.length === 0) return valueAt(base, path);
  const whole = inside.reduce(
    (map, [changed, value]) => withValueAt(map, changed, value),
    withValueAt({}, path, valueAt(base, path)),
  );
  return valueAt(whole, path);
}

const below = (value: unknown, path: string, above: string): unknown =>
  path === above ? value : valueAt(value, pathOf(...keysOf(path).slice(keysOf(above).length)));

export interface EditOrigin {
  at: number;
  tab: string;
}

export function withEdit(draft: Draft, path: string, value: unknown, { at, tab }: EditOrigin): Draft {
  return withoutEqual({ ...draft, changes: changed(draft.changes, path, value), changed_at: at, tab });
}

function changed(changes: Changes, path: string, value: unknown): Changes {
  const above = Object.keys(changes).find((each) => each !== path && isWithin(path, each));
  if (above !== undefined) {
    const keys = keysOf(path).slice(keysOf(above).length);
    const whole = withValueAt({ it: changes[above] }, pathOf('it', ...keys), value);
    return { ...changes, [above]: whole.it };
  }
  const others = Object.entries(changes).filter(([each]) => !isWithin(each, path));
  return Object.fromEntries([...others, [path, value]]);
}

export const withBody = (draft: Draft, body: string, { at, tab }: EditOrigin): Draft =>
  withoutEqual({ ...draft, body, changed_at: at, tab });

/** Drops what equals the base, unless a save that is under way changes that part. */
export function withoutEqual(draft: Draft): Draft {
  const { base, sending } = draft;
  if (base === null) return draft;
  const isUnderWay = (path: string) =>
    Object.keys(sending?.changes ?? {}).some((sent) => overlaps(sent, path));
  const isBodyEqual = draft.body === base.markdown_body && sending?.body == null;
  const body = isBodyEqual ? null : draft.body;
  const changes = only(
    draft.changes,
    (path, value) => isUnderWay(path) || !isSame(value, valueAt(base, path)),
  );
  const conflicts = only(draft.conflicts, (path) =>
    path === BODY ? body !== null : Object.hasOwn(changes, path),
  );
  return { ...draft, changes, body, conflicts };
}

/** The same object if all of it stays, so that what shows it is not drawn again. */
function only<T>(
  parts: Readonly<Record<string, T>>,
  stays: (path: string, value: T) => boolean,
): Readonly<Record<string, T>> {
  const entries = Object.entries(parts);
  const left = entries.filter(([path, value]) => stays(path, value));
  return left.length === entries.length ? parts : Object.fromEntries(left);
}

/** Takes one side of a conflict, or any other value, which the next save sends. */
export function withResolved(draft: Draft, path: string, value: unknown, origin: EditOrigin): Draft {
  const { [path]: _, ...conflicts } = draft.conflicts;
  const open = { ...draft, conflicts };
  return path === BODY ? withBody(open, String(value), origin) : withEdit(open, path, value, origin);
}

/** The draft of one part alone, as it is kept where the other side of a conflict is taken. */
export function onlyPart(draft: Draft, path: string): Draft {
  const { [path]: conflict } = draft.conflicts;
  return {
    ...draft,
    changes: path === BODY ? {} : { [path]: partOf(draft, path) },
    body: path === BODY ? draft.body : null,
    conflicts: conflict ? { [path]: conflict } : {},
    sending: null,
  };
}

/** Everything on the screen as a draft of an entity that does not exist yet. */
export function asNew(draft: Draft, id: string, { at, tab }: EditOrigin): Draft {
  const { base } = draft;
  const parts = [
    ['name', base?.name],
    ['status', base?.status],
    ...Object.entries(base?.fields ?? {}).map(([name, value]) => [pathOf('fields', name), value] as const),
  ] as const;
  const whole = [...parts, ...Object.entries(draft.changes)].reduce<Changes>(
    (changes, [path, value]) => changed(changes, path, value),
    {},
  );
  const key = { ...draft.key, id };
  return { ...emptyDraft(key, null, tab), changes: whole, body: bodyOf(draft), changed_at: at };
}
