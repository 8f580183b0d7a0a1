import { cellOf } from './cells.ts';
import { type Column, ID, VERSION, valueIn } from './columns.ts';
import { writeCsv } from './csv.ts';
import type { Entity } from './entity.ts';
import { defused } from './formula.ts';

/** All entries as a sheet: id and version, by which it is known later, and the chosen columns. */
export function sheetOf(entities: readonly Entity[], columns: readonly Column[]): string {
  const titles = [ID, VERSION, ...columns.map(({ title }) => title)];
  const rows = entities.map((entity) => [
    defused(entity.entity_id),
    String(entity.version),
    ...columns.map((column) =>
      defused(cellOf(valueIn(column, entity)) ?? JSON.stringify(valueIn(column, entity))),
    ),
  ]);
  return writeCsv([titles.map(defused), ...rows]);
}
