import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import { STEP_LIMITS, tooManyProperties } from './bounds.ts';
import { foldersOf, noteOfRecord, titleOfPath } from './source.ts';
import type { ReadItem, SourceText } from './types.ts';

/** Characters parsed at a time, so that other work can run in between. */
const CHUNK = 32 * 1024;
const DELIMITERS = [',', ';', '\t', '|'];

interface Row {
  cells: string[];
  /** The line at which the row ends, from 1. */
  line: number;
}

/** Each row is a note; the first row names the properties. Empty cells say nothing. */
export function* readCsv({ path, text: given }: SourceText): Generator<ReadItem> {
  const place = path === '' ? 'the table' : path;
  const title = titleOfPath(path);
  const groups = title === null ? [] : [title, ...foldersOf(path)];
  let header: string[] | undefined;
  try {
    for (const { cells, line } of rowsOf(given.replace(/^\uFEFF/, ''))) {
      if (cells.length > STEP_LIMITS.properties) {
        yield { refused: { place: `${place}:${line}`, reason: tooManyProperties(cells.length) } };
        if (header === undefined) return;
      } else if (header === undefined) header = namesOf(cells);
      else yield { note: noteOfRecord({ path, place: `${place}:${line}`, groups }, named(header, cells)) };
    }
  } catch (error) {
    if (!(error instanceof UnreadableRows)) throw error;
    yield { refused: { place: `${place}:${error.line}`, reason: error.message, value: error.rest } };
  }
  if (header === undefined)
    yield { refused: { place, reason: 'the table has no row that names its columns' } };
}

class UnreadableRows extends Error {
  readonly line: number;
  readonly rest: string;
  constructor(line: number, rest: string, reason: string) {
    super(`the rows from here on cannot be read: ${reason}`);
    this.line = line;
    this.rest = rest;
  }
}

/** A chunk that ends within quotes is read again together with more. */
function* rowsOf(whole: string): Generator<Row> {
  const declared = /^sep=([^\r\n])\r?\n/i.exec(whole);
  const text = declared ? whole.slice(declared[0].length) : whole;
  const delimiter = declared?.[1] ?? delimiterOf(text);
  let line = declared ? 2 : 1;
  let start = 0;
  let size = CHUNK;
  while (start < text.length) {
    const feed = text.indexOf('\n', start + size);
    const end = feed < 0 ? text.length : feed + 1;
    const chunk = text.slice(start, end);
    const rows = parseChunk(chunk, delimiter);
    if (rows instanceof CsvError) {
      const isWhole = end === text.length || chunk.length > STEP_LIMITS.rows;
      if (isWhole || rows.code !== 'CSV_QUOTE_NOT_CLOSED')
        throw new UnreadableRows(line, text.slice(start), rows.message);
      size *= 2;
      continue;
    }
    for (const row of rows) yield { cells: row.cells, line: row.line + line - 1 };
    line += chunk.split('\n').length - 1;
    start = end;
    size = CHUNK;
  }
}

function parseChunk(chunk: string, delimiter: string): Row[] | CsvError {
  try {
    const rows = parse(chunk, {
      delimiter,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return rows.map(({ record, info }) => ({ cells: record, line: info.lines }));
  } catch (error) {
    if (error instanceof CsvError) return error;
    throw error;
  }
}

const ENOUGH = 16 * 1024;

/** The one that the first row holds most of, outside quotes. */
function delimiterOf(text: string): string {
  const head = text.slice(0, ENOUGH);
  const feed = head.indexOf('\n');
  const first = (feed < 0 ? head : head.slice(0, feed)).replaceAll(/"(?:[^"]|"")*"/g, '');
  const counts = DELIMITERS.map((delimiter) => first.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Each once and none empty. */
function namesOf(cells: readonly string[]): string[] {
  const names: string[] = [];
  for (const [index, cell] of cells.entries()) {
    const name = cell.trim() || `column_${index + 1}`;
    const isTaken = names.includes(name);
    names.push(isTaken ? `${name}_${index + 1}` : name);
  }
  return names;
}

function named(header: readonly string[], cells: readonly string[]): [string, string][] {
  return cells.flatMap((cell, index) =>
    cell === '' ? [] : [[header[index] ?? `column_${index + 1}`, cell] as [string, string]],
  );
}
