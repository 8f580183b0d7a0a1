export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectIn = (value: unknown): Json => (isObject(value) ? value : {});

/** The objects of a list, which has them under `data`. */
export const listIn = (value: unknown): Json[] => {
  const { data } = objectIn(value);
  return Array.isArray(data) ? data.filter(isObject) : [];
};

export const textIn = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

export const wholeIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : null;

/** Milliseconds; the provider counts seconds. */
export const timeIn = (value: unknown): number | null => {
  const seconds = wholeIn(value);
  return seconds === null ? null : seconds * 1000;
};

/** Of an object, which the provider may put in place of its id. */
export const idIn = (value: unknown): string | null => textIn(isObject(value) ? value.id : value);

export const metadataIn = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(objectIn(value)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );

export const oneOf = <Word extends string>(words: readonly Word[], value: unknown): Word | null =>
  words.find((word) => word === value) ?? null;
