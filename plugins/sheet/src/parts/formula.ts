/** A text that a spreadsheet program would calculate instead of show, also with apostrophes before it. */
const FORMULA = /^'*[=+\-@\t\r]/;
const NUMBER = /^-?\d+(?:[.,]\d+)?$/;

const isFormula = (cell: string): boolean => FORMULA.test(cell) && !NUMBER.test(cell);

/** With an apostrophe before a formula, so that it stays a text. */
export const defused = (cell: string): string => (isFormula(cell) ? `'${cell}` : cell);

/** Takes that apostrophe away. */
export const undefused = (cell: string): string =>
  cell.startsWith("'") && isFormula(cell) ? cell.slice(1) : cell;
