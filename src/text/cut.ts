/** The first `most` characters of a text, with `…` where there are more. */
export const cutAfter = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}…` : text;

/** The same in `most` characters, `…` included. */
export const cutWithin = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;
