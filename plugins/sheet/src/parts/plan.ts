import { cellOf, isSameNumber, isSameText, isSameValue, type Misfit, plainValue, readCell } from './cells.ts';
import { type Column, ID, VERSION, valueIn } from './columns.ts';
import { type CsvFile, type CsvRow, parseCsv } from './csv.ts';
import type { Entity } from './entity.ts';
import { undefused } from './formula.ts';

export interface CellChange {
  column: Column;
  before: string;
  /** Of the value that is saved, which the cell may spell otherwise. */
  after: string;
  value: unknown;
}

export interface RowChange {
  line: number;
  id: string;
  name: string;
  version: number;
  cells: CellChange[];
}

export type Trouble =
  | 'unclosed_quote'
  | 'no_id_column'
  | 'no_version_column'
  | 'twice_column'
  | 'unknown_column'
  | 'no_id'
  | 'twice'
  | 'unknown_id'
  | 'changed_meanwhile'
  | 'no_version'
  | 'too_many_cells'
  | 'no_cell_value'
  | Misfit;

/** Its row, or a part of it, is left as it is. */
export interface Problem {
  line: number;
  kind: Trouble;
  id?: string;
  /** Of the column. */
  title?: string;
  cell?: string;
}

export interface Plan {
  changes: RowChange[];
  problems: Problem[];
  /** Rows in which nothing was edited. */
  unchanged: number;
}

interface Reading {
  entities: ReadonlyMap<string, Entity>;
  /** The column of each cell; null for one that is not known. */
  columns: readonly (Column | null)[];
  idAt: number;
  versionAt: number;
  titles: readonly string[];
}

const NOTHING: Plan = { changes: [], problems: [], unchanged: 0 };

/** The changes that a sheet would make to the entries as they are now. Changes nothing. */
export function planOf(text: string, entities: readonly Entity[], known: readonly Column[]): Plan {
  const file = parseCsv(text);
  const problems: Problem[] = [];
  if (file.unclosed !== null) problems.push({ line: file.unclosed, kind: 'unclosed_quote' });
  const reading = readTitles(file, entities, known, problems);
  if (reading === null) return { ...NOTHING, problems };
  const changes: RowChange[] = [];
  const seen = new Set<string>();
  let unchanged = 0;
  for (const row of file.rows.slice(1)) {
    const found: Problem[] = [];
    const change = readRow(row, reading, seen, found);
    problems.push(...found);
    if (change && change.cells.length > 0) changes.push(change);
    else if (found.length === 0) unchanged += 1;
  }
  return { changes, problems, unchanged };
}

/** The first line says what is where. */
function readTitles(
  { rows: [first] }: CsvFile,
  entities: readonly Entity[],
  known: readonly Column[],
  problems: Problem[],
): Reading | null {
  const titles = (first?.cells ?? []).map((cell) => undefused(cell.trim()));
  const line = first?.line ?? 1;
  const idAt = titles.indexOf(ID);
  const versionAt = titles.indexOf(VERSION);
  if (idAt < 0) problems.push({ line, kind: 'no_id_column' });
  if (idAt >= 0 && versionAt < 0) problems.push({ line, kind: 'no_version_column' });
  if (idAt < 0 || versionAt < 0) return null;
  const columns = titles.map((title, at) => {
    const column = known.find((one) => one.title === title) ?? null;
    if (at === idAt || at === versionAt || title === '') return null;
    if (column === null) problems.push({ line, kind: 'unknown_column', title });
    if (column === null || titles.indexOf(title) === at) return column;
    problems.push({ line, kind: 'twice_column', title });
    return null;
  });
  const byId = new Map(entities.map((entity) => [entity.entity_id, entity]));
  return { entities: byId, columns, idAt, versionAt, titles };
}

function readRow(
  { line, cells }: CsvRow,
  { entities, columns, idAt, versionAt, titles }: Reading,
  seen: Set<string>,
  problems: Problem[],
): RowChange | null {
  const id = undefused((cells[idAt] ?? '').trim());
  const fail = (kind: Trouble, more: Partial<Problem> = {}): null => {
    problems.push({ line, kind, ...(id !== '' && { id }), ...more });
    return null;
  };
  if (id === '') return fail('no_id');
  if (seen.has(id)) return fail('twice');
  seen.add(id);
  const entity = entities.get(id);
  if (!entity) return fail('unknown_id');
  if (cells.slice(titles.length).some((cell) => cell.trim() !== '')) return fail('too_many_cells');
  const found: Problem[] = [];
  const edited = columns.flatMap((column, at) => {
    const cell = cells[at];
    // A row that ends early says nothing about the rest.
    return column === null || cell === undefined
      ? []
      : readEdit(undefused(cell), column, { entity, line, found });
  });
  if (edited.length === 0 && found.length === 0) return null;
  const version = (cells[versionAt] ?? '').trim();
  if (version === '') return fail('no_version');
  if (Number(version) !== entity.version) return fail('changed_meanwhile');
  problems.push(...found);
  return { line, id, name: entity.name, version: entity.version, cells: edited };
}

interface Place {
  entity: Entity;
  line: number;
  found: Problem[];
}

/** Empty for a cell that is as it was: compared as texts first, since a value may not fit its own column. */
function readEdit(cell: string, column: Column, { entity, line, found }: Place): CellChange[] {
  const now = valueIn(column, entity);
  const before = cellOf(now);
  if (isSameText(cell, before ?? JSON.stringify(now)) || isSameNumber(cell, now)) return [];
  const fail = (kind: Trouble): CellChange[] => {
    found.push({ line, kind, id: entity.entity_id, title: column.title, cell });
    return [];
  };
  if (before === null) return fail('no_cell_value');
  const read = readCell(cell, column);
  if ('misfit' in read) return fail(read.misfit);
  if (isSameValue(read.value, now)) return [];
  const value = plainValue(read.value);
  return [{ column, before, after: cellOf(value) ?? cell, value }];
}

export const countCells = ({ changes }: Plan): number =>
  changes.reduce((sum, { cells }) => sum + cells.length, 0);

/** For `entities.update`: nothing but what was edited. */
export const fieldsOf = ({ cells }: RowChange): Record<string, unknown> =>
  Object.fromEntries(cells.map(({ column, value }) => [column.key, value]));
