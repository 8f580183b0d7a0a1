import { labelOf } from './names.ts';
import type { FieldOption } from './types.ts';

type Scalar = string | number | boolean;

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Identifiers are spelled out, an author's text stays. */
function labelOfValue(value: Scalar): string {
  return typeof value === 'string' && /^[a-z0-9_]+$/.test(value) ? labelOf(value) : String(value);
}

function optionOf(entry: unknown): FieldOption | undefined {
  if (isScalar(entry)) return { value: entry, label: labelOfValue(entry) };
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { value, label, hex } = entry as Record<string, unknown>;
  const colour = typeof hex === 'string' ? hex : undefined;
  const chosen = isScalar(value) ? value : (colour ?? (isScalar(label) ? label : undefined));
  if (chosen === undefined) return undefined;
  const option: FieldOption = {
    value: chosen,
    label: isScalar(label) ? String(label) : labelOfValue(chosen),
  };
  return colour === undefined ? option : { ...option, hex: colour };
}

/** From plain values, `{value, label}` or `{label, hex}`; undefined if none can be read. */
export function readOptions(given: unknown): FieldOption[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const options = given.map(optionOf).filter((option) => option !== undefined);
  return options.length === 0 ? undefined : options;
}
