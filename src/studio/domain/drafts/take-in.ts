import { BODY, isSame, valueAt, withValueAt } from '../field-path.ts';
import {
  type Base,
  baseOf,
  bodyOf,
  type Draft,
  type PartConflict,
  type Sending,
  withoutEqual,
} from './draft.ts';

/** From where both went on, what the service has, and what is on the screen. */
export interface BodyTexts {
  sent: string;
  server: string;
  current: string;
}

/** Returns the screen's text with the service's changes in it, and loses no insertion of either. */
export type RebaseBody = (texts: BodyTexts) => string;

export interface Incoming {
  entity: Base;
  /** The part of the draft that the service took with this state; null if it took nothing. */
  taken: Sending | null;
  /** False where the state differs from the base only by what was taken. */
  othersChanged: boolean;
  /** The service could not merge the texts. */
  bodyConflicts: boolean;
}

/** The service's state becomes the base. What was taken leaves the draft; what others changed as well becomes a conflict. */
export function takeIn(draft: Draft, incoming: Incoming, rebase: RebaseBody): Draft {
  const next = baseOf(incoming.entity);
  const common = withTaken(draft.base, incoming.taken);
  const { changes, conflicts } = partsOf(draft, incoming, common, next);
  const text = textOf(draft, incoming, common.markdown_body, rebase);
  return withoutEqual({
    ...draft,
    base: next,
    changes,
    body: text.body,
    conflicts: { ...conflicts, ...(text.conflict && { [BODY]: text.conflict }) },
    sending: null,
  });
}

/** The base as it is after what was taken: from there the draft and the service's state went on. */
function withTaken(base: Base | null, taken: Sending | null): Partial<Base> & { markdown_body: string } {
  const changed = Object.entries(taken?.changes ?? {}).reduce<Record<string, unknown>>(
    (map, [path, value]) => withValueAt(map, path, value),
    { ...base },
  );
  return { ...changed, markdown_body: taken?.body ?? base?.markdown_body ?? '' };
}

function partsOf(draft: Draft, { taken, othersChanged, entity }: Incoming, common: object, next: Base) {
  const changes: Record<string, unknown> = {};
  const conflicts: Record<string, PartConflict> = {};
  for (const [path, mine] of Object.entries(draft.changes)) {
    if (taken && Object.hasOwn(taken.changes, path) && isSame(mine, taken.changes[path])) continue;
    const theirs = valueAt(next, path);
    if (isSame(mine, theirs)) continue;
    changes[path] = mine;
    const open = draft.conflicts[path];
    const before = valueAt(common, path);
    if (open) conflicts[path] = { base: open.base, theirs, by: authorOf(theirs, entity, open) };
    else if (othersChanged && !isSame(theirs, before))
      conflicts[path] = { base: before, theirs, by: entity.updated_by };
  }
  return { changes, conflicts };
}

function textOf(
  draft: Draft,
  { entity, taken, bodyConflicts }: Incoming,
  base: string,
  rebase: RebaseBody,
): { body: string | null; conflict?: PartConflict } {
  const [local, server] = [bodyOf(draft), entity.markdown_body];
  const open = draft.conflicts[BODY];
  const isMine = draft.body !== null && draft.body !== taken?.body;
  if (isMine && (open || (bodyConflicts && server !== base))) {
    const before = open ? open.base : base;
    return { body: local, conflict: { base: before, theirs: server, by: authorOf(server, entity, open) } };
  }
  if (server === local) return { body: null };
  // A new entity got the template's text, in the place of which the user has written.
  if (draft.base === null && isMine) return { body: local };
  if (server === base) return { body: draft.body };
  return { body: rebase({ sent: isMine ? base : local, server, current: local }) };
}

/** The latest version may be by somebody who did not touch the part. */
const authorOf = (theirs: unknown, { updated_by }: Base, open: PartConflict | undefined): string | null =>
  open && isSame(open.theirs, theirs) ? open.by : updated_by;
