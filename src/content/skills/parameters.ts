import { isMap, type JsonMap } from '../../text/json.ts';
import { textOf } from './values.ts';

/** `{type, default, …}`: a parameter that says what it may hold. */
const isTyped = (map: JsonMap): boolean => 'default' in map || typeof map.type === 'string';

const FITS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isMap,
};
const SYNONYMS: Readonly<Record<string, string>> = {
  str: 'string',
  text: 'string',
  int: 'integer',
  float: 'number',
  bool: 'boolean',
  list: 'array',
  map: 'object',
};

export interface ReadParameters {
  parameters: JsonMap;
  /** Why a default does not count, by the parameter's name. */
  faults: readonly { name: string; message: string }[];
}

/** Parameters with their values: a mapping, or a list of `{name, type, default}`. One without a value is left out. */
export function readParameters(given: unknown): ReadParameters {
  const parameters: [string, unknown][] = [];
  const faults: { name: string; message: string }[] = [];
  for (const [name, value] of entriesOf(given)) {
    if (!isMap(value) || !(Array.isArray(given) || isTyped(value))) {
      parameters.push([name, value]);
      continue;
    }
    const fault = faultOf(value);
    if (fault !== null) faults.push({ name, message: `the parameter "${name}" ${fault}` });
    else if (value.default !== undefined && value.default !== null) parameters.push([name, value.default]);
  }
  return { parameters: Object.fromEntries(parameters), faults };
}

function entriesOf(given: unknown): [string, unknown][] {
  if (isMap(given)) return Object.entries(given);
  if (!Array.isArray(given)) return [];
  return given.flatMap((item): [string, unknown][] =>
    isMap(item) && textOf(item.name) !== '' ? [[textOf(item.name), item]] : [],
  );
}

function faultOf({ type, default: value }: JsonMap): string | null {
  if (value === undefined || value === null || type === undefined) return null;
  const word = textOf(type).toLowerCase();
  const known = SYNONYMS[word] ?? word;
  if (!Object.hasOwn(FITS, known)) return `has no known type: it is one of ${Object.keys(FITS).join(', ')}`;
  return FITS[known]?.(value) ? null : `is of type ${known}, and its default is not`;
}
