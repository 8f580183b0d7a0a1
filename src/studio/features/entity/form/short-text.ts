/** With an ellipsis in the place of what is too much. */
export const shortText = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}…` : text;
