import type { JsonMap } from '../../../text/json.ts';
import { bodyOf, partOf } from '../../domain/drafts/draft.ts';
import { BODY, isSame, valueAt } from '../../domain/field-path.ts';
import type { PatchPart } from '../../domain/plugins/entity-patch.ts';
import type { EntityDraft } from '../drafts/drafts.ts';

/** A part as it was, and as the plugin made it. */
export interface ChangedPart {
  path: string;
  before: unknown;
  after: unknown;
}

interface Applied {
  changed: ChangedPart[];
  /** Paths of what was changed since the page was told it, and stays. */
  stayed: string[];
}

function shownValue(draft: EntityDraft, path: string): unknown {
  const now = draft.getSnapshot().draft;
  return path === BODY ? bodyOf(now) : partOf(now, path);
}

/**
 * Takes the parts of a patch into the draft, as edits of the user. What was typed into the text since the page was told
 * it stays in it, and any other part that was changed since then stays as it is.
 * @param known the entity from which the page went on, in the shape in which it is told; null if that is not known
 */
export function applyParts(draft: EntityDraft, parts: readonly PatchPart[], known: JsonMap | null): Applied {
  const applied: Applied = { changed: [], stayed: [] };
  for (const { path, value } of parts) {
    const before = shownValue(draft, path);
    if (isSame(before, value)) continue;
    const from = known ? valueAt(known, path) : before;
    if (path === BODY) draft.replaceBody(String(value), String(from));
    else if (isSame(before, from)) draft.edit(path, value ?? null);
    else {
      applied.stayed.push(path);
      continue;
    }
    applied.changed.push({ path, before, after: shownValue(draft, path) });
  }
  return applied;
}

/**
 * What was typed into the text since then stays in it, and any other part that was changed since then stays as it is.
 * @returns the paths of those other parts
 */
export function takeBack(draft: EntityDraft, changed: readonly ChangedPart[]): string[] {
  const stayed: string[] = [];
  for (const { path, before, after } of changed.toReversed()) {
    const now = shownValue(draft, path);
    if (isSame(now, before)) continue;
    if (path === BODY) draft.replaceBody(String(before), String(after));
    else if (isSame(now, after)) draft.edit(path, before ?? null);
    else stayed.push(path);
  }
  return stayed;
}

/** Changes and those that came after them; as one where nobody has changed the part between them. */
export function joined(earlier: readonly ChangedPart[], later: readonly ChangedPart[]): ChangedPart[] {
  const all = [...earlier];
  for (const part of later) {
    const at = all.findLastIndex(({ path }) => path === part.path);
    const last = all[at];
    if (last && isSame(last.after, part.before)) all[at] = { ...last, after: part.after };
    else all.push(part);
  }
  return all;
}
