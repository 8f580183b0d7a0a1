/** A field that a list can show as a column. */
export interface ListColumn {
  /** Dotted path. */
  path: string;
  label: string;
  /** The texts of values that have one. */
  options: ReadonlyMap<string, string>;
}

interface FieldSchema {
  title?: string;
  type?: string | readonly string[];
  'x-order'?: number;
  'x-widget'?: string;
  'x-options'?: readonly { value: unknown; label?: string }[];
}

const BEGIN_WITH = 3;
/** Long texts, and what a cell cannot show. */
const NOT_SHOWN = new Set(['textarea', 'object', 'object-array', 'textarea-array', 'image', 'list']);
/** Widgets whose values tell entries apart at a glance. */
const TELLING = new Set(['select', 'radio-group', 'year', 'date', 'number', 'entity-selector']);

/** The fields of a type that fit into a cell, in the order of its template. */
export function columnsOf(schema: Readonly<Record<string, unknown>>): ListColumn[] {
  return fieldsOf(schema)
    .filter(([, field]) => !NOT_SHOWN.has(field['x-widget'] ?? ''))
    .map(([path, field]) => ({
      path,
      label: field.title ?? path,
      options: new Map(
        (field['x-options'] ?? []).map(({ value, label }) => [String(value), label ?? String(value)]),
      ),
    }));
}

/** The columns that a list begins with. */
export const firstColumnsOf = (schema: Readonly<Record<string, unknown>>): string[] =>
  fieldsOf(schema)
    .filter(([, field]) => TELLING.has(field['x-widget'] ?? ''))
    .slice(0, BEGIN_WITH)
    .map(([path]) => path);

function fieldsOf({ properties }: Readonly<Record<string, unknown>>): [string, FieldSchema][] {
  if (typeof properties !== 'object' || properties === null) return [];
  const fields = Object.entries(properties as Record<string, FieldSchema>);
  return fields.sort(([, a], [, b]) => (a['x-order'] ?? 0) - (b['x-order'] ?? 0));
}

/** A value as a cell shows it; objects and lists of them have no text. */
export function cellText(value: unknown, options: ReadonlyMap<string, string>): string {
  if (value === null || value === undefined || value === '') return '';
  if (Array.isArray(value))
    return value
      .map((item) => cellText(item, options))
      .filter(Boolean)
      .join(', ');
  if (typeof value === 'object') return '';
  return options.get(String(value)) ?? String(value);
}
