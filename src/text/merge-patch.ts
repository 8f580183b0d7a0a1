import { isMap, type JsonMap } from './json.ts';

/** RFC 7396; both inputs stay as they are. */
export function mergePatch(target: JsonMap, patch: JsonMap): JsonMap {
  const result = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else if (isMap(value)) {
      const before = result[key];
      result[key] = mergePatch(isMap(before) ? before : {}, value);
    } else result[key] = value;
  }
  return result;
}
