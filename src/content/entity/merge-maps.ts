import { isMap, type JsonMap } from '../../text/json.ts';
import type { FieldDefinition, TemplateDefinition } from '../template/index.ts';
import { compiled } from './compiled.ts';

const REPLACE = '$replace';

interface MapsPatch {
  fields?: Record<string, unknown> | undefined;
  production_status?: unknown;
}

function replacementIn(next: JsonMap): JsonMap | undefined {
  const { [REPLACE]: whole } = next;
  return isMap(whole) && Object.keys(next).length === 1 ? whole : undefined;
}

function mergedMap(typed: readonly FieldDefinition[], present: unknown, next: JsonMap): JsonMap {
  const whole = replacementIn(next);
  if (whole !== undefined) return whole;
  const merged: JsonMap = isMap(present) ? { ...present } : {};
  for (const [key, value] of Object.entries(next)) {
    const field = typed.find(({ name }) => name === key);
    if (value === null) delete merged[key];
    else merged[key] = mergedValue(field, merged[key], value);
  }
  return merged;
}

function mergedValue(field: FieldDefinition | undefined, present: unknown, next: unknown): unknown {
  if (!isMap(next)) return next;
  const typed = field?.type === 'object' ? (field.properties ?? []) : [];
  return typed.length > 0 ? mergedMap(typed, present, next) : (replacementIn(next) ?? next);
}

/**
 * Maps that the template types, and `production_status`, are merged with the file's key by key; null removes a key. Lists
 * and other maps are replaced, and so is a map given as `{"$replace": {…}}`.
 */
export function withWholeMaps<Patch extends MapsPatch>(
  template: TemplateDefinition,
  data: Readonly<Record<string, unknown>>,
  patch: Patch,
): Patch {
  const { fields, production_status: status } = patch;
  const { byName } = compiled(template);
  const merged =
    fields &&
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, mergedValue(byName.get(name), data[name], value)]),
    );
  return {
    ...patch,
    ...(merged && { fields: merged }),
    ...(isMap(status) && { production_status: mergedMap([], data.production_status, status) }),
  };
}
