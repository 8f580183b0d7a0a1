import { isMap } from '../../text/json.ts';
import { pathOf } from './field-path.ts';
import { chooseWidget, type ValueType, type WidgetName } from './widget-names.ts';

export type JsonSchema = Record<string, unknown>;

export interface FieldOption {
  value: string | number | boolean;
  label: string;
  hex?: string;
}

/** One field of a form, read from its JSON Schema or, without one, from its value. */
export interface FormField {
  path: string;
  name: string;
  label: string;
  help: string | null;
  widget: WidgetName;
  unknownWidget: string | null;
  /** The types that the schema admits; null may always clear a field. */
  types: readonly ValueType[];
  isInteger: boolean;
  /** Null, not an empty text, is its usual empty value. */
  isNullable: boolean;
  isRequired: boolean;
  placeholder: string | null;
  options: readonly FieldOption[];
  /** Nothing but the options is right. */
  hasOnlyOptions: boolean;
  min: number | null;
  max: number | null;
  step: number | null;
  showsValue: boolean;
  isHorizontal: boolean;
  referenceType: string | null;
  maxSelections: number | null;
  relationshipTypes: readonly FieldOption[];
  /** Everything that the template says of it, for widgets of plugins. */
  config: JsonSchema;
  /** Of an object, or of the objects in a list. */
  fields: readonly FormField[];
}

/** Deeper objects are shown as they are. */
const DEEPEST = 6;

export function fieldOfSchema(keys: readonly string[], schema: JsonSchema, isRequired: boolean): FormField {
  const name = keys.at(-1) ?? '';
  const [types, isInteger] = typesOf(schema);
  const { widget, unknownWidget } = chooseWidget(schema['x-widget'], mainTypeOf(schema, types));
  return {
    path: pathOf(...keys),
    name,
    label: textOf(schema.title) ?? spelledOut(name),
    help: textOf(schema.description),
    ...nestedOf(keys, schema, widget),
    unknownWidget,
    types,
    isInteger,
    isNullable: [schema.type].flat().includes('null'),
    isRequired,
    placeholder: withoutBrackets(textOf(schema['x-placeholder'])),
    ...optionsOf(schema),
    min: numberOf(schema['x-min'] ?? schema.minimum),
    max: numberOf(schema['x-max'] ?? schema.maximum),
    step: positive(numberOf(schema['x-step'])),
    showsValue: schema['x-show-value'] !== false,
    isHorizontal: schema['x-layout'] === 'horizontal',
    referenceType: textOf(schema['x-reference-type']),
    maxSelections: positive(numberOf(schema['x-max-selections'])),
    relationshipTypes: readOptions(schema['x-relationship-types']),
    config: isMap(schema['x-config']) ? schema['x-config'] : {},
  };
}

/** The schema's properties in the template's order. */
export function fieldsOfSchema(keys: readonly string[], schema: JsonSchema): FormField[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = Object.entries(isMap(schema.properties) ? schema.properties : {}).flatMap(
    ([name, property]) => (isMap(property) ? [{ name, property }] : []),
  );
  return properties
    .sort((one, other) => orderOf(one.property) - orderOf(other.property))
    .map(({ name, property }) => fieldOfSchema([...keys, name], property, required.includes(name)));
}

/** For what no template describes: the schema that the value itself suggests. */
export function fieldOfValue(keys: readonly string[], value: unknown): FormField {
  return fieldOfSchema(keys, schemaOfValue(value, keys.length), false);
}

function schemaOfValue(value: unknown, depth: number): JsonSchema {
  if (Array.isArray(value)) return schemaOfList(value, depth);
  if (isMap(value)) {
    if (depth > DEEPEST) return { type: 'object', 'x-widget': 'read-only-text' };
    const properties = Object.entries(value).map(([key, entry]) => [key, schemaOfValue(entry, depth + 1)]);
    return { type: 'object', properties: Object.fromEntries(properties) };
  }
  if (typeof value === 'number' || typeof value === 'boolean') return { type: typeof value };
  return { type: 'string', 'x-widget': 'text' };
}

function schemaOfList(list: readonly unknown[], depth: number): JsonSchema {
  if (list.length === 0 || list.every((entry) => !isMap(entry) && !Array.isArray(entry)))
    return { type: 'array' };
  if (!list.every(isMap) || depth > DEEPEST) return { type: 'array', 'x-widget': 'read-only-text' };
  return {
    type: 'array',
    items: schemaOfValue(
      Object.fromEntries(list.slice(0, 20).flatMap((entry) => Object.entries(entry))),
      depth + 1,
    ),
  };
}

function nestedOf(keys: readonly string[], schema: JsonSchema, widget: WidgetName) {
  if (keys.length > DEEPEST)
    return { widget: isNested(widget) ? 'read-only-text' : widget, fields: [] } as const;
  const items = isMap(schema.items) ? schema.items : {};
  const ofItems = fieldsOfSchema([], items);
  if (widget === 'list' && ofItems.length > 0) return { widget: 'object-array', fields: ofItems } as const;
  return { widget, fields: widget === 'object-array' ? ofItems : fieldsOfSchema(keys, schema) };
}

const isNested = (widget: WidgetName): boolean => widget === 'object' || widget === 'object-array';

const TYPES: ReadonlyMap<string, ValueType> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['array', 'array'],
  ['object', 'object'],
]);

function typesOf(schema: JsonSchema): [ValueType[], boolean] {
  const given = [schema.type].flat().filter((type) => typeof type === 'string');
  const types = given.flatMap((type) => TYPES.get(type) ?? []);
  return [types.length === 0 ? ['string'] : types, given.includes('integer')];
}

/** A field of one or several values is edited as a list. */
function mainTypeOf(schema: JsonSchema, types: readonly ValueType[]): ValueType {
  if (types.includes('array') && schema['x-widget'] !== 'select') return 'array';
  return types[0] ?? 'string';
}

function optionsOf(schema: JsonSchema) {
  const values = Array.isArray(schema.enum) ? schema.enum : undefined;
  const options = readOptions(schema['x-options'] ?? values);
  return { options, hasOnlyOptions: values !== undefined };
}

function readOptions(given: unknown): FieldOption[] {
  return Array.isArray(given) ? given.flatMap((entry) => optionOf(entry) ?? []) : [];
}

function optionOf(entry: unknown): FieldOption | undefined {
  if (isScalar(entry)) return { value: entry, label: labelOfOption(entry) };
  if (!isMap(entry) || !isScalar(entry.value)) return undefined;
  const hex = textOf(entry.hex);
  return {
    value: entry.value,
    label: textOf(entry.label) ?? labelOfOption(entry.value),
    ...(hex !== null && { hex }),
  };
}

const isScalar = (value: unknown): value is FieldOption['value'] =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean';

const labelOfOption = (value: FieldOption['value']): string =>
  typeof value === 'string' && /^[a-z0-9_]+$/.test(value) ? spelledOut(value) : String(value);

/** `death_year` → `Death year`. */
export function spelledOut(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words === '' ? name : words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** `[Who raised them?]` → `Who raised them?`, line by line. */
const withoutBrackets = (text: string | null): string | null =>
  text?.replaceAll(/^\s*\[(.*)\]\s*$/gm, '$1') ?? null;

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value : null;

const numberOf = (value: unknown): number | null => (Number.isFinite(value) ? Number(value) : null);

const positive = (value: number | null): number | null => (value !== null && value > 0 ? value : null);

const orderOf = (schema: JsonSchema): number => numberOf(schema['x-order']) ?? Number.MAX_SAFE_INTEGER;
