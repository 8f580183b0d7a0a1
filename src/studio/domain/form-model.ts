import type { FieldItem } from '../../content/layout/index.ts';
import { isMap } from '../../text/json.ts';
import { PRODUCTION, valueAt } from './field-path.ts';
import { isEmptyField } from './field-value.ts';
import {
  type FormField,
  fieldOfSchema,
  fieldOfValue,
  fieldsOfSchema,
  type JsonSchema,
} from './form-field.ts';
import { isPluginWidget } from './widget-names.ts';

/**
 * `fields`: those without a group of their own. `kept`: what has left the template and still stands in the file. The last
 * three are of a layout.
 */
type GroupKind = 'fields' | 'object' | 'production' | 'kept' | 'section' | 'unplaced' | 'hidden';

/** Something that a layout places. */
export type FormItem = { key: string; width: FieldItem['width'] } & (
  | { field: FormField }
  | { group: FormGroup }
  | { block: string }
);

export interface FormGroup {
  id: string;
  kind: GroupKind;
  /** As the template says it; the other kinds have names in the catalogue. */
  label: string | null;
  help: string | null;
  fields: readonly FormField[];
  /** Only of a layout: the same fields, and what else stands between them. */
  items?: readonly FormItem[];
  isFolded?: boolean;
}

/**
 * The groups of a form, from a type's JSON Schema (`GET /schemas/{type}`) and an entity's fields, which may have any
 * shape.
 */
export function formModelOf(schema: JsonSchema, values: Record<string, unknown>): FormGroup[] {
  return [...groupsOfFields(known(schema).fields, values), ...lastGroups(schema, values)];
}

/** The fields without a group of their own, then the groups of the others. */
export function groupsOfFields(
  fields: readonly FormField[],
  values: Record<string, unknown>,
): readonly FormGroup[] {
  const [objects, others] = partition(fields, (field) => isGroup(field, values[field.name]));
  return [
    ...filled(
      groupOf(
        'fields',
        others.map((field) => fittedTo(field, values[field.name])),
      ),
    ),
    ...objects.flatMap((field) => filled(objectGroup(field, values[field.name]))),
  ];
}

/** What stands below the fields of the template. */
export function lastGroups(schema: JsonSchema, values: Record<string, unknown>): readonly FormGroup[] {
  const { fields, production } = known(schema);
  const declared = new Set(fields.map(({ name }) => name));
  return [
    ...filled(groupOf('production', production)),
    ...filled(groupOf('kept', keptFields(values, declared))),
  ];
}

const filled = (group: FormGroup): FormGroup[] => (group.fields.length > 0 ? [group] : []);

/** The path of the first field that has no value and takes one. */
export function firstEmptyField(
  groups: readonly FormGroup[],
  values: Record<string, unknown>,
): string | undefined {
  return groups
    .flatMap(({ kind, fields }) => (kind === 'hidden' ? [] : fields))
    .find((field) => field.widget !== 'read-only-text' && isEmptyField(field, valueAt(values, field.path)))
    ?.path;
}

interface Known {
  fields: FormField[];
  production: FormField[];
}

const all = new WeakMap<JsonSchema, Known>();

/** The same objects each time, so that what is drawn from them need not be drawn again. */
export function known(schema: JsonSchema): Known {
  const found = all.get(schema) ?? {
    fields: fieldsOfSchema([], schema),
    production: productionFields(schema),
  };
  all.set(schema, found);
  return found;
}

const groupOf = (kind: GroupKind, fields: readonly FormField[]): FormGroup => ({
  id: kind,
  kind,
  label: null,
  help: null,
  fields,
});

const isGroup = ({ widget, unknownWidget }: FormField, value: unknown): boolean =>
  widget === 'object' &&
  !isPluginWidget(unknownWidget) &&
  (isMap(value) || value === undefined || value === null || value === '');

/** A value that is no object cannot be edited by the fields of one, and must not be lost to them. */
const fittedTo = (field: FormField, value: unknown): FormField =>
  field.widget === 'object' && !isPluginWidget(field.unknownWidget)
    ? { ...fieldOfValue([field.name], value), label: field.label, help: field.help }
    : field;

function objectGroup(field: FormField, value: unknown): FormGroup {
  return {
    id: `object:${field.path}`,
    kind: 'object',
    label: field.label,
    help: field.help,
    fields: [...field.fields, ...undeclaredFields(field, value)],
  };
}

function undeclaredFields({ name, fields }: FormField, value: unknown): FormField[] {
  const declared = new Set(fields.map((field) => field.name));
  const entries = Object.entries(isMap(value) ? value : {}).filter(([key]) => !declared.has(key));
  return entries.map(([key, entry]) => fieldOfValue([name, key], entry));
}

function keptFields(values: Record<string, unknown>, declared: ReadonlySet<string>): FormField[] {
  const entries = Object.entries(values).filter(([name]) => !declared.has(name) && name !== PRODUCTION);
  return entries.map(([name, value]) => fieldOfValue([name], value));
}

function productionFields(schema: JsonSchema): FormField[] {
  const attributes = isMap(schema['x-attributes']) ? schema['x-attributes'] : {};
  const status = attributes[PRODUCTION];
  if (!isMap(status) || !isMap(status.properties)) return [];
  return Object.entries(status.properties).flatMap(([name, property]) =>
    isMap(property) ? [fieldOfSchema([PRODUCTION, name], withSelect(property), false)] : [],
  );
}

const withSelect = (property: JsonSchema): JsonSchema =>
  Array.isArray(property.enum) ? { ...property, 'x-widget': 'select' } : property;

function partition<T>(list: readonly T[], test: (entry: T) => boolean): [T[], T[]] {
  return [list.filter(test), list.filter((entry) => !test(entry))];
}
