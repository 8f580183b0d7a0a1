import type { CreateTableBuilder, RawBuilder, SchemaModule } from 'kysely';

type ColumnType = 'integer' | RawBuilder<unknown>;
type Builder = CreateTableBuilder<string, string>;
/** Columns or a key of the table that is being created. */
type TablePart = (builder: Builder, table: string) => Builder;

export const notNull =
  (type: ColumnType, ...names: readonly string[]): TablePart =>
  (builder) =>
    names.reduce((all, name) => all.addColumn(name, type, (column) => column.notNull()), builder);

export const nullable =
  (type: ColumnType, ...names: readonly string[]): TablePart =>
  (builder) =>
    names.reduce((all, name) => all.addColumn(name, type), builder);

/** A column that is the primary key by itself. */
export const key =
  (type: ColumnType, name: string): TablePart =>
  (builder) =>
    builder.addColumn(name, type, (column) => column.primaryKey());

/** A primary key of several columns. */
export const keyOf =
  (...names: readonly string[]): TablePart =>
  (builder, table) =>
    builder.addPrimaryKeyConstraint(`${table}_key`, [...names]);

export const createTable = (
  schema: SchemaModule,
  table: string,
  parts: readonly TablePart[],
): Promise<void> =>
  parts.reduce<Builder>((builder, part) => part(builder, table), schema.createTable(table)).execute();

export const createIndex = (
  schema: SchemaModule,
  name: string,
  table: string,
  columns: readonly string[],
): Promise<void> =>
  schema
    .createIndex(name)
    .on(table)
    .columns([...columns])
    .execute();
