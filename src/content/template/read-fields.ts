import { isMap, type JsonMap } from '../../text/json.ts';
import { inferExplicit } from './explicit.ts';
import { defineField } from './fields.ts';
import { inferFrom } from './infer.ts';
import { ATTRIBUTE_KEYS, METADATA_KEYS } from './metadata.ts';
import { isPlaceholder } from './placeholder.ts';
import type { FieldDefinition, LineOf, TemplateProblem } from './types.ts';

/** With plain text they describe the type; empty or bracketed they are fields. */
function describesType(key: string, value: unknown): boolean {
  if (key !== 'label' && key !== 'description') return METADATA_KEYS.has(key);
  return typeof value === 'string' && value.trim() !== '' && !isPlaceholder(value);
}

interface Reading {
  data: JsonMap;
  lineOf: LineOf;
  problems: TemplateProblem[];
}

function report({ lineOf, problems }: Reading, message: string, path: readonly (string | number)[]): void {
  const line = lineOf(path);
  problems.push({ message, severity: 'warning', ...(line === undefined ? {} : { line }) });
}

function readExplicit(reading: Reading, configs: JsonMap): FieldDefinition[] {
  const list = reading.data.fields;
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    report(reading, '`fields` must be a list of maps with a `name` each; it was left out', ['fields']);
    return [];
  }
  const fields = new Map<string, FieldDefinition>();
  list.forEach((entry: unknown, index) => {
    const field = readEntry(reading, configs, entry, index);
    if (field === undefined) return;
    if (fields.has(field.name)) report(reading, `field "${field.name}" is listed twice`, ['fields', index]);
    fields.set(field.name, field);
  });
  return [...fields.values()];
}

function readEntry(
  reading: Reading,
  configs: JsonMap,
  entry: unknown,
  index: number,
): FieldDefinition | undefined {
  const path = ['fields', index];
  if (!isMap(entry) || typeof entry.name !== 'string' || entry.name === '') {
    report(reading, `entry ${index + 1} of \`fields\` has no \`name\`; it was left out`, path);
    return undefined;
  }
  const { name } = entry;
  if (ATTRIBUTE_KEYS.has(name)) {
    report(reading, `"${name}" belongs to every entity and cannot be a field; the entry was left out`, path);
    return undefined;
  }
  const value =
    METADATA_KEYS.has(name) && describesType(name, reading.data[name]) ? undefined : reading.data[name];
  const { inferred, problems } = inferExplicit(entry, value);
  for (const problem of problems) report(reading, `field "${name}": ${problem}`, path);
  return defineField(name, inferred, configs, entry);
}

/** Those of the explicit list in order, then the keys that it does not name. */
export function readFields(data: JsonMap, lineOf: LineOf, problems: TemplateProblem[]): FieldDefinition[] {
  const reading = { data, lineOf, problems };
  const configs = isMap(data.field_config) ? data.field_config : {};
  if (data.field_config !== undefined && data.field_config !== null && !isMap(data.field_config)) {
    report(reading, '`field_config` must map field names to settings; it was left out', ['field_config']);
  }
  const listed = readExplicit(reading, configs);
  const names = new Set(listed.map((field) => field.name));
  const inferred = Object.entries(data)
    .filter(([key, value]) => !names.has(key) && !describesType(key, value))
    .map(([key, value]) => defineField(key, inferFrom(value), configs));
  return [...listed, ...inferred];
}
