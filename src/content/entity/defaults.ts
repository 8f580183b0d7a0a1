import { isMap } from '../../text/json.ts';
import type { FieldDefinition } from '../template/index.ts';

/** The object itself if it lacks no typed key. */
function filled(
  properties: readonly FieldDefinition[],
  value: Record<string, unknown>,
): Record<string, unknown> {
  const complete = properties.every((property) => {
    if (!Object.hasOwn(value, property.name)) return false;
    return value[property.name] === valueOrDefault(property, value);
  });
  return complete ? value : withDefaults(properties, value);
}

function valueOrDefault(field: FieldDefinition, own: Record<string, unknown>): unknown {
  if (!Object.hasOwn(own, field.name)) return field.default;
  const value = own[field.name];
  return field.type === 'object' && field.properties !== undefined && isMap(value)
    ? filled(field.properties, value)
    : value;
}

/** In the template's order, unknown keys last. */
export function withDefaults(
  fields: readonly FieldDefinition[],
  own: Record<string, unknown>,
): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const field of fields) all[field.name] = valueOrDefault(field, own);
  for (const key of Object.keys(own)) {
    if (!Object.hasOwn(all, key)) all[key] = own[key];
  }
  return all;
}
