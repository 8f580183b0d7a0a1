import Sqlite from 'better-sqlite3';
import { serve } from './serve.ts';

/** A minimal server of stored rows: no framework, no tokens, no checks. */
const db = new Sqlite(process.argv[2] ?? '', { readonly: true });
db.pragma('cache_size = -32000');

const byTime = db
  .prepare<[string, number, number], string>(
    'select json from rows where entity_type = ? order by updated_at desc, id desc limit ? offset ?',
  )
  .pluck();
const total = db.prepare<[string], number>('select total from totals where entity_type = ?').pluck();
const best = db
  .prepare<[string, number, number], string>(
    `select json from (select rowid as id from words where words match ? order by rank limit ? offset ?) join rows using (id)`,
  )
  .pluck();
const matches = db.prepare<[string], number>('select count(*) from words where words match ?').pluck();
const byId = db
  .prepare<[string, string], string>('select json from rows where entity_type = ? and entity_id = ?')
  .pluck();

const matchOf = (search: string): string =>
  search
    .split(' ')
    .map((word) => `"${word}" *`)
    .join(' AND ');

function list(type: string, query: URLSearchParams): string {
  const offset = Number(query.get('offset') ?? 0);
  const limit = Number(query.get('limit') ?? 50);
  const search = query.get('search');
  const match = search === null ? '' : matchOf(search);
  const rows = search === null ? byTime.all(type, limit, offset) : best.all(match, limit, offset);
  const count = search === null ? total.get(type) : rows.length < limit ? rows.length : matches.get(match);
  return `{"total":${count},"offset":${offset},"limit":${limit},"entities":[${rows.join(',')}]}`;
}

serve((request, response) => {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const [, , , type = '', id] = path.split('/');
  const text = id === undefined ? list(type, new URLSearchParams(query)) : (byId.get(type, id) ?? '');
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
});
