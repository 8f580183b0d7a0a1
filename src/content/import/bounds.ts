import type { ReadItem, Refusal } from './types.ts';

/**
 * Per step, so that other work gets its turn in between: characters of a note, of rows read together and of an entry of a
 * JSON text, and properties of a note.
 */
export const STEP_LIMITS = {
  note: 1024 * 1024,
  rows: 256 * 1024,
  json: 512 * 1024,
  properties: 1_000,
} as const;

/** In reports; the source still has the whole value. */
const LONGEST_VALUE = 2_000;

export const tooManyProperties = (count: number): string =>
  `it has ${count} properties; a note may have ${STEP_LIMITS.properties}`;

/** A note that is too large is refused, and long values are cut. */
export function bounded(item: ReadItem): ReadItem {
  if ('refused' in item) return { refused: shortened(item.refused) };
  const { note } = item;
  const count = Object.keys(note.properties).length + note.refused.length;
  if (count > STEP_LIMITS.properties)
    return { refused: { place: note.place, reason: tooManyProperties(count) } };
  return { note: { ...note, refused: note.refused.map(shortened) } };
}

function shortened(refusal: Refusal): Refusal {
  const { value } = refusal;
  if (value === undefined) return refusal;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= LONGEST_VALUE ? refusal : { ...refusal, value: `${text.slice(0, LONGEST_VALUE)}…` };
}
