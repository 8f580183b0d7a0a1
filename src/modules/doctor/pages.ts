const PAGE = 2_000;

/** Reads all pages of a query, one after another. */
export async function* pages<Row, Key>(
  first: Key,
  read: (after: Key, limit: number) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
): AsyncGenerator<Row[]> {
  let after = first;
  for (;;) {
    const rows = await read(after, PAGE);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < PAGE) return;
    after = keyOf(last);
  }
}
