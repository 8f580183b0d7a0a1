const PAGE = 2_000;

/** Never yields to other work, so that a transaction can use it. */
export async function* pages<Row, Key>(
  first: Key,
  read: (after: Key, limit: number) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
  size = PAGE,
): AsyncGenerator<Row[]> {
  let after = first;
  for (;;) {
    const rows = await read(after, size);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < size) return;
    after = keyOf(last);
  }
}
