import { deepEqual } from '../../text/json.ts';
import { DocumentError, editDocument, type ReadDocument, readDocument } from '../frontmatter/index.ts';
import { convertValue } from './convert.ts';
import { renameKey } from './rename-key.ts';
import type { FieldChange, FieldEffect, Migrated } from './types.ts';

/**
 * Only the lines of the changed fields differ. A value that cannot follow is refused and stays. `order` places new fields.
 * Throws DocumentError for a file that cannot be read or edited.
 */
export function migrateEntity(
  text: string,
  changes: readonly FieldChange[],
  order: readonly string[],
): Migrated {
  const effects: FieldEffect[] = [];
  let current = text;
  for (const change of changes) {
    const read = readDocument(current);
    if (!read.ok) throw new DocumentError(read.problem);
    const { text: next, effect } = migrateField(current, read, change, order);
    current = next;
    effects.push(effect);
  }
  return { text: current, effects };
}

function migrateField(
  text: string,
  { data, lineOf }: ReadDocument,
  change: FieldChange,
  order: readonly string[],
): { text: string; effect: FieldEffect } {
  const { field } = change;
  const has = Object.hasOwn(data, field);
  const value = data[field];
  const unchanged = { text, effect: { kind: 'none', has } as const };
  const changed = (next: string, before: unknown, after: unknown) => {
    const line = has ? lineOf([field]) : null;
    return { text: next, effect: { kind: 'changed', has, line, before, after } as const };
  };
  if (change.kind === 'add') {
    if (has) return unchanged;
    const after = order
      .slice(0, Math.max(0, order.indexOf(field)))
      .findLast((key) => Object.hasOwn(data, key));
    const edit = {
      set: { [field]: change.value },
      ...(after !== undefined && { after: { [field]: after } }),
    };
    return changed(editDocument(text, edit), undefined, change.value);
  }
  if (!has) return unchanged;
  if (change.kind === 'remove') return changed(editDocument(text, { unset: [field] }), value, undefined);
  const refused = (reason: string) => ({
    text,
    effect: { kind: 'refused', has: true, line: lineOf([field]), value, reason } as const,
  });
  if (change.kind === 'rename') {
    if (Object.hasOwn(data, change.to)) return refused(`the file has a field '${change.to}' already`);
    return changed(renameKey(text, [field], change.to), field, change.to);
  }
  const converted = convertValue(value, change.type);
  if (!converted.ok) return refused(converted.reason);
  if (deepEqual(converted.value, value)) return unchanged;
  return changed(editDocument(text, { set: { [field]: converted.value } }), value, converted.value);
}
