import Sqlite from 'better-sqlite3';

/** Reads the replies of some characters from a service's database and parses them: the least that a context of them takes. */
export function readContext(path: string, ids: readonly string[]) {
  const db = new Sqlite(path, { readonly: true });
  const rows = db
    .prepare<string[], string>(
      `select json from entities join entity_documents using (row_id)
       where entity_type = 'character' and entity_id in (${ids.map(() => '?').join()})`,
    )
    .pluck();
  return {
    read: (): unknown[] => rows.all(...ids).map((json) => JSON.parse(json)),
    close: () => db.close(),
  };
}
