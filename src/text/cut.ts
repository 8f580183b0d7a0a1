/** Ends with `…` if something was cut. */
export const cutAfter = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}…` : text;

/** The `…` counts. */
export const cutWithin = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;
