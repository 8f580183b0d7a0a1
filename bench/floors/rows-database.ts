import { rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { entitySearchText } from '../../src/content/search-text.ts';

const SCHEMA = `
  pragma journal_mode = WAL;
  create table rows (id integer primary key, entity_type text, entity_id text, updated_at text, json text);
  create table totals (entity_type text primary key, total integer);
  create virtual table words using fts5 (name, fields, body, content = '', tokenize = 'unicode61 remove_diacritics 2');
  insert into words (words, rank) values ('rank', 'bm25(10.0, 3.0, 1.0)');
`;
const INDEXES = `
  create index rows_by_time on rows (entity_type, updated_at);
  create unique index rows_by_id on rows (entity_type, entity_id);
  insert into totals select entity_type, count(*) from rows group by entity_type;
`;

interface Row {
  row_id: number;
  entity_type: string;
  entity_id: string;
  updated_at: string;
  json: string;
}

/** Copies the replies of a service's database into minimal tables that can serve them. */
export function copyRows(serviceDatabase: string, path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  const source = new Sqlite(serviceDatabase, { readonly: true });
  const target = new Sqlite(path);
  target.exec(SCHEMA);
  const insertRow = target.prepare('insert into rows values (?, ?, ?, ?, ?)');
  const insertWords = target.prepare('insert into words (rowid, name, fields, body) values (?, ?, ?, ?)');
  const rows = source.prepare<[], Row>(`
    select row_id, entity_type, entity_id, updated_at, json
    from entities join entity_documents using (row_id) where entity_type <> 'Template' order by row_id`);
  target.transaction(() => {
    for (const row of rows.iterate()) {
      insertRow.run(row.row_id, row.entity_type, row.entity_id, row.updated_at, row.json);
      const { name, fields, body } = entitySearchText(JSON.parse(row.json));
      insertWords.run(row.row_id, name, fields, body);
    }
    target.exec(INDEXES);
  })();
  source.close();
  target.close();
}
