import { isMap, type JsonMap } from '../../text/json.ts';
import { isClosedChoice } from './declared.ts';
import { type Inferred, inferFrom } from './infer.ts';
import { labelOf } from './names.ts';
import { readOptions } from './options.ts';
import type { FieldDefinition, ItemType } from './types.ts';
import { widgetOf } from './widgets.ts';

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Lists that pair an id with a relationship, or a colour with a name, hold both strings and objects. */
function itemsOf(inferred: Inferred, config: JsonMap): ItemType | undefined {
  const open =
    inferred.items === 'string' && Array.isArray(inferred.default) && inferred.default.length === 0;
  const paired = config.relationship_types !== undefined || config.widget === 'color-palette';
  return open && paired ? 'any' : inferred.items;
}

/**
 * `explicit` is the field's entry of the `fields:` list. `configs` maps dotted paths to `field_config` entries, so that
 * nested keys can have their own.
 */
export function defineField(
  name: string,
  inferred: Inferred,
  configs: JsonMap,
  explicit: JsonMap = {},
  path = name,
): FieldDefinition {
  const given = configs[path];
  const config = isMap(given) ? given : {};
  const declared = text(explicit.type)?.trim().toLowerCase();
  const options = readOptions(config.options) ?? readOptions(explicit.options);
  const reference = text(config.reference_type) ?? text(explicit.reference_type);
  const items = itemsOf(inferred, config);
  const shape = {
    type: inferred.type,
    items,
    reference: reference !== undefined,
    options: options !== undefined,
  };
  const description = text(explicit.description) ?? text(config.description);
  const placeholder = text(explicit.placeholder) ?? text(config.placeholder) ?? inferred.placeholder;
  return {
    name,
    label: text(explicit.label) ?? text(config.label) ?? labelOf(name),
    type: inferred.type,
    nullable: inferred.nullable,
    ...(declared === undefined ? {} : { declared_type: declared }),
    ...(inferred.type === 'array' ? { items: items ?? 'string' } : {}),
    default: inferred.default,
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(description === undefined ? {} : { description }),
    required: explicit.required === true || config.required === true,
    ...(options === undefined ? {} : { options }),
    widget: widgetOf(name, shape, config.widget ?? explicit.widget, declared),
    config,
    ...(reference === undefined ? {} : { reference_type: reference }),
    ...(inferred.entries === undefined ? {} : { properties: nested(inferred.entries, configs, path) }),
  };
}

function nested(entries: JsonMap, configs: JsonMap, path: string): FieldDefinition[] {
  return Object.entries(entries).map(([key, value]) =>
    defineField(key, inferFrom(value), configs, {}, `${path}.${key}`),
  );
}

export function admitsOnlyOptions(field: FieldDefinition): boolean {
  return field.options !== undefined && isClosedChoice(field.declared_type);
}

/** A reference field whose default is one id also takes a list. */
export function admitsSeveral(field: FieldDefinition): boolean {
  const limit = field.config.max_selections;
  return (
    field.reference_type !== undefined && field.type === 'string' && typeof limit === 'number' && limit > 1
  );
}
