type JsonMap = Readonly<Record<string, unknown>>;

const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field with one of these has a value that is chosen or computed, not written by somebody. */
const CHOSEN = [
  'enum',
  'x-options',
  'x-reference-type',
  'x-relationship-types',
  'format',
  'pattern',
  'const',
];
const CHOSEN_WIDGETS =
  /color|palette|date|time|asset|image|file|audio|video|model|reference|relationship|entity|select|tag|url|link|radio|check|read-only|plugin:/;

function isChosen(schema: JsonMap): boolean {
  const widget = schema['x-widget'];
  return (
    CHOSEN.some((key) => schema[key] !== undefined) ||
    (typeof widget === 'string' && CHOSEN_WIDGETS.test(widget))
  );
}

/** Ids, colours and addresses in fields that no template describes. */
const isSentence = (text: string): boolean => /\s/.test(text.trim());

const DEEPEST = 8;

/**
 * The texts that somebody wrote into fields: what the schema says is a text, and beyond the schema what has several
 * words.
 */
export function proseIn(value: unknown, schema: unknown, depth = 0): string[] {
  if (depth > DEEPEST) return [];
  const known = isMap(schema) ? schema : null;
  if (known !== null && isChosen(known)) return [];
  if (typeof value === 'string') return known !== null || isSentence(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((entry) => proseIn(entry, known?.items, depth + 1));
  if (!isMap(value)) return [];
  const properties = isMap(known?.properties) ? known.properties : {};
  return Object.entries(value).flatMap(([name, entry]) => proseIn(entry, properties[name], depth + 1));
}
