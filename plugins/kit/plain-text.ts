/** In this order: what is inside of a comment is no link, and a link's address no text. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [/<!--[\s\S]*?(?:-->|$)/g, ' '],
  [/^ {0,3}(```|~~~)[^\n]*$/gm, ' '],
  // [[type:id|shown]], [[id]]
  [/\[\[[^\][|\n]*\|([^\][\n]*)\]\]/g, '$1'],
  [/\[\[(?:[^\][:\n]*:)?([^\][\n]*)\]\]/g, '$1'],
  // [shown](address), ![described](address)
  [/!?\[([^\][\n]*)\]\([^()\n]*\)/g, '$1'],
  [/<\/?[a-zA-Z][^<>\n]*>/g, ' '],
  [/\b(?:https?:\/\/|www\.)[^\s<>)\]]+/g, ' '],
  [/^ {0,3}(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+/gm, ''],
  [/[*_~`|]+/g, ''],
];

/** A text in markdown roughly as a reader sees it: without marks, comments and addresses. */
export const plainText = (markdown: string): string =>
  MARKS.reduce((text, [mark, instead]) => text.replace(mark, instead), markdown);
