import { isMap, type JsonMap } from '../../text/json.ts';
import { editDocument, readDocument } from '../frontmatter/index.ts';
import { bumpMinorVersion, type FieldType, isPlaceholder, versionText } from '../template/index.ts';
import { convertValue } from './convert.ts';
import { renameKey } from './rename-key.ts';
import type { FieldChange } from './types.ts';

const EMPTY: Readonly<Record<FieldType, unknown>> = {
  string: '',
  number: 0,
  boolean: false,
  array: [],
  object: {},
};

/**
 * Default, `field_config` and entry in `fields` follow, and the minor version rises. Throws DocumentError for a file that
 * cannot be read or edited.
 */
export function migrateTemplate(text: string, changes: readonly FieldChange[]): string {
  let next = text;
  for (const change of changes) next = migrateField(next, change);
  const read = readDocument(next);
  const version = read.ok ? versionText(read.data.template_version) : undefined;
  if (next === text || version === undefined) return next;
  return editDocument(next, { set: { template_version: bumpMinorVersion(version) } });
}

function migrateField(text: string, change: FieldChange): string {
  const read = readDocument(text);
  if (!read.ok) return text;
  const { data } = read;
  const { field } = change;
  const entry = entryOf(data, field);
  switch (change.kind) {
    case 'rename': {
      const listed = entry < 0 ? text : editDocument(text, setEntry(entry, 'name', change.to));
      return renameKey(renameKey(listed, ['field_config', field], change.to), [field], change.to);
    }
    case 'retype': {
      const retyped = Object.hasOwn(data, field) ? { [field]: defaultFor(data[field], change.type) } : {};
      const setIn = entry < 0 ? {} : setEntry(entry, 'type', change.type);
      return editDocument(text, { set: retyped, ...setIn });
    }
    case 'remove':
      return editDocument(text, { unset: [field], set: withoutField(data, field, entry) });
    case 'add':
      return Object.hasOwn(data, field) ? text : editDocument(text, addition(data, field, change.value));
  }
}

const entryOf = (data: JsonMap, field: string): number =>
  Array.isArray(data.fields) ? data.fields.findIndex((entry) => isMap(entry) && entry.name === field) : -1;

const setEntry = (entry: number, key: string, value: unknown) => ({
  setIn: [{ path: ['fields', String(entry), key], value }],
});

/** An instruction stays in a text field; other types get their empty value instead. */
function defaultFor(value: unknown, type: FieldType): unknown {
  if (isPlaceholder(value)) return type === 'string' ? value : EMPTY[type];
  const converted = convertValue(value, type);
  return converted.ok && converted.value !== null ? converted.value : EMPTY[type];
}

function withoutField(data: JsonMap, field: string, entry: number): Record<string, unknown> {
  const config = data.field_config;
  const fields = data.fields;
  return {
    ...(isMap(config) && Object.hasOwn(config, field) && { field_config: without(config, field) }),
    ...(entry >= 0 && Array.isArray(fields) && { fields: fields.toSpliced(entry, 1) }),
  };
}

const without = (map: Record<string, unknown>, key: string) =>
  Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));

/** Before a template's closing settings, so that it stands among the fields. */
function addition(data: JsonMap, field: string, value: unknown) {
  const keys = Object.keys(data);
  const before = keys[keys.indexOf('field_config') - 1];
  return { set: { [field]: value }, ...(before !== undefined && { after: { [field]: before } }) };
}
