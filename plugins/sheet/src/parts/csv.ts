/** A row, and the line of the file in which it begins. */
export interface CsvRow {
  line: number;
  cells: string[];
}

export interface CsvFile {
  rows: CsvRow[];
  delimiter: string;
  /** The line of a quotation mark that is never closed; the rows end before it. */
  unclosed: number | null;
}

const BOM = '\ufeff';
const DELIMITERS = [',', ';', '\t'];

/** The separator that is most often in the first line, outside of quotation marks: spreadsheet programs choose it by country. */
function delimiterOf(text: string): string {
  const [line = ''] = text.replace(/"(?:[^"]|"")*"/g, '').split(/\r?\n/, 1);
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Reads RFC 4180, with line ends and delimiters of all kinds. Empty lines are no rows. */
export function parseCsv(given: string): CsvFile {
  const text = given.startsWith(BOM) ? given.slice(BOM.length) : given;
  const delimiter = delimiterOf(text);
  const rows: CsvRow[] = [];
  let row: CsvRow = { line: 1, cells: [] };
  let [at, line] = [0, 1];

  function endRow(): void {
    if (row.cells.some((cell) => cell !== '')) rows.push(row);
    row = { line, cells: [] };
  }

  while (at < text.length) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, delimiter);
    if (cell === null) return { rows, delimiter, unclosed: line };
    row.cells.push(cell.value);
    line += countLines(text, at, cell.end);
    at = cell.end;
    if (text[at] === delimiter) {
      at += 1;
      if (at === text.length) row.cells.push('');
      continue;
    }
    if (at < text.length) {
      at += text.startsWith('\r\n', at) ? 2 : 1;
      line += 1;
    }
    endRow();
  }
  if (row.cells.length > 0) endRow();
  return { rows, delimiter, unclosed: null };
}

interface Cell {
  value: string;
  end: number;
}

function plainCell(text: string, from: number, delimiter: string): Cell {
  let end = from;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return { value: text.slice(from, end), end };
}

function quotedCell(text: string, from: number): Cell | null {
  let value = '';
  for (let at = from + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return null;
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      const rest = /[^,;\t\r\n]*/y;
      rest.lastIndex = quote + 1;
      return { value: value + (rest.exec(text)?.[0] ?? ''), end: rest.lastIndex };
    }
    value += '"';
    at = quote + 2;
  }
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

const quoted = (cell: string): string =>
  /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/** With a mark by which spreadsheet programs know that it is Unicode. */
export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  `${BOM}${rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')}`;
