/** Ways to treat a variable that nobody knows: it is left out, becomes `[name]`, stays as written, or is an error. */
export const UNKNOWN_VARIABLES = ['empty_string', 'placeholder', 'skip', 'error'] as const;
export type UnknownVariables = (typeof UNKNOWN_VARIABLES)[number];

/** `$field`, `$type.field`, `$type:id.field`; `{name}` and `{{name}}` are `named`. */
export type Variable =
  | { kind: 'named'; name: string }
  | { kind: 'field'; type: string | null; id: string | null; path: readonly string[] };

export interface VariableOptions {
  /** Undefined if it is unknown. The value is put in as it is and is never expanded again. */
  valueOf(variable: Variable): string | undefined;
  unknown: UnknownVariables;
}

export interface Expanded {
  text: string;
  /** As written. */
  unknown: string[];
}

export class UnknownVariableError extends Error {
  override readonly name = 'UnknownVariableError';
  readonly variables: readonly string[];

  constructor(variables: readonly string[]) {
    super(`Unknown prompt variables: ${variables.join(', ')}`);
    this.variables = variables;
  }
}

const NAMED = String.raw`\{\{\s*(?<braced>[a-z_][\w.-]*)\s*\}\}|\{(?<single>[a-z_]\w*)\}`;
/** Levels of a path: each is looked up, so an endless path would take the square of its length. */
const MOST_LEVELS = 16;
const FIELD = String.raw`\$(?<first>[a-z_]\w*)(?::(?<id>[a-z0-9_]+))?(?<rest>(?:\.[a-z_]\w*){0,${MOST_LEVELS}})`;
const VARIABLE = new RegExp(`${NAMED}|${FIELD}`, 'gi');

interface Groups {
  braced?: string;
  single?: string;
  first?: string;
  id?: string;
  rest?: string;
}

/** In one pass: what a value says is text, also if it looks like a variable. An `UnknownVariableError` with the strategy `error`. */
export function expandVariables(text: string, options: VariableOptions): Expanded {
  const unknown: string[] = [];
  const expanded = text.replaceAll(VARIABLE, (written: string, ...rest: unknown[]) => {
    const found = replacementOf(rest.at(-1) as Groups, options);
    if (found !== undefined) return found;
    unknown.push(written);
    if (options.unknown === 'empty_string') return '';
    return options.unknown === 'placeholder' ? `[${written.replaceAll(/[{}$\s]/g, '')}]` : written;
  });
  if (options.unknown === 'error' && unknown.length > 0)
    throw new UnknownVariableError([...new Set(unknown)]);
  return { text: expanded, unknown };
}

function replacementOf(groups: Groups, { valueOf: lookUp }: VariableOptions): string | undefined {
  const name = groups.braced ?? groups.single;
  if (name !== undefined) return lookUp({ kind: 'named', name });
  const { first = '', id } = groups;
  const path = groups.rest?.split('.').slice(1) ?? [];
  if (id !== undefined) return lookUp({ kind: 'field', type: first, id, path });
  return fieldValue(first, path, lookUp);
}

/** `$ally.name` may be the field `name` of the type `ally` or an inner field; `$name.` may end a sentence: the longest that is known counts. */
function fieldValue(
  first: string,
  rest: readonly string[],
  lookUp: VariableOptions['valueOf'],
): string | undefined {
  for (let length = rest.length; length >= 0; length -= 1) {
    const [taken, left] = [rest.slice(0, length), rest.slice(length)];
    const ofType = length > 0 ? lookUp({ kind: 'field', type: first, id: null, path: taken }) : undefined;
    const found = ofType ?? lookUp({ kind: 'field', type: null, id: null, path: [first, ...taken] });
    if (found !== undefined) return [found, ...left].join('.');
  }
  return undefined;
}
