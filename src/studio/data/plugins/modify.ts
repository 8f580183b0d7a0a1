import { bodyOf, partOf } from '../../domain/drafts/draft.ts';
import { BODY, isSame } from '../../domain/field-path.ts';
import type { PatchPart } from '../../domain/plugins/entity-patch.ts';
import type { EntityDraft } from '../drafts/drafts.ts';

/** A part as it was, and as the plugin made it. */
export interface ChangedPart {
  path: string;
  before: unknown;
  after: unknown;
}

function shownValue(draft: EntityDraft, path: string): unknown {
  const now = draft.getSnapshot().draft;
  return path === BODY ? bodyOf(now) : partOf(now, path);
}

function put(draft: EntityDraft, path: string, value: unknown): void {
  if (path === BODY) draft.replaceBody(String(value));
  else draft.edit(path, value ?? null);
}

/** Takes the parts of a patch into the draft, as edits of the user; returns what has changed by that. */
export function applyParts(draft: EntityDraft, parts: readonly PatchPart[]): ChangedPart[] {
  const changed: ChangedPart[] = [];
  for (const { path, value } of parts) {
    const before = shownValue(draft, path);
    if (isSame(before, value)) continue;
    put(draft, path, value);
    changed.push({ path, before, after: value });
  }
  return changed;
}

/** A part in which somebody has typed since then stays. */
export function takeBack(draft: EntityDraft, changed: readonly ChangedPart[]): void {
  for (const { path, before, after } of changed)
    if (isSame(shownValue(draft, path), after)) put(draft, path, before);
}

/** Changes and those that came after them, as one: each part from what it was at first to what it is now. */
export function joined(earlier: readonly ChangedPart[], later: readonly ChangedPart[]): ChangedPart[] {
  const parts = new Map(earlier.map((part) => [part.path, part]));
  for (const part of later) parts.set(part.path, { ...(parts.get(part.path) ?? part), after: part.after });
  return [...parts.values()];
}
