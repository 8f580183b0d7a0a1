/** Stands for a letter of what is no prose. It is no space, no letter and no mark. */
export const MASK = '\u0001';

const masked = (text: string): string => text.replace(/[^\n]/g, MASK);

/** Each with a letter without which it cannot occur, since most texts have none of these. */
const NO_PROSE: readonly (readonly [string, RegExp])[] = [
  ['```', /^ {0,3}```[^\n]*\n[\s\S]*?(?:\n {0,3}```[^\n]*$|(?![\s\S]))/gm],
  ['~~~', /^ {0,3}~~~[^\n]*\n[\s\S]*?(?:\n {0,3}~~~[^\n]*$|(?![\s\S]))/gm],
  ['<!--', /<!--[\s\S]*?(?:-->|(?![\s\S]))/g],
  ['`', /`[^`\n]+`/g],
  ['<', /<\/?[a-zA-Z][^<>\n]{0,2000}>/g],
  // The address and the title of a link.
  ['](', /\]\([^()\n]{0,2000}\)/g],
];

/** The text with as many letters, but nothing of code, comments, tags and addresses. */
export const maskedText = (text: string): string =>
  NO_PROSE.reduce(
    (rest, [sign, pattern]) => (rest.includes(sign) ? rest.replace(pattern, masked) : rest),
    text,
  );
