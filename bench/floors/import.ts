import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { load } from 'js-yaml';

/**
 * A minimal import on one thread: read, hash, parse the frontmatter, and one row and one entry of the search index per
 * file, all in one transaction. Prints the milliseconds taken.
 */
const [folder = '', path = ''] = process.argv.slice(2);
for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
const db = new Sqlite(path);
db.exec(`
  pragma journal_mode = WAL;
  pragma synchronous = FULL;
  create table rows (id integer primary key, entity_id text unique, path text, sha256 text, json text);
  create virtual table words using fts5 (name, fields, body, content = '');
`);
const insertRow = db.prepare('insert into rows (entity_id, path, sha256, json) values (?, ?, ?, ?)');
const insertWords = db.prepare('insert into words (rowid, name, fields, body) values (?, ?, ?, ?)');

const started = performance.now();
db.transaction(() => {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.md') || !name.startsWith('Characters')) continue;
    const bytes = readFileSync(join(folder, name));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const text = bytes.toString();
    const end = text.indexOf('\n---\n', 4);
    const data = load(text.slice(4, end)) as Record<string, unknown>;
    const body = text.slice(end + 5);
    const { lastInsertRowid } = insertRow.run(data.id, name, sha256, JSON.stringify({ ...data, body }));
    insertWords.run(lastInsertRowid, data.name, Object.values(data).flat().join('\n'), body);
  }
})();
console.log(performance.now() - started);
db.close();
