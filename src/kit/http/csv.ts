import { Reply } from '../route.ts';

/** One reply of another surface may have 16 MB. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Programs for tables run what begins like this; white space before it does not stop all of them. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/** Text that would be run as a formula begins with an apostrophe, as people write it in such programs. */
export const csvCell = (value: string | number | null): string => {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  return `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
};

type Row = Readonly<Record<string, string | number | null>>;

/** A table with the columns' names in its first line. It ends before a row that would make it too large. */
function csvOf(columns: readonly string[], rows: readonly Row[]): string {
  const lines = [columns.join(',')];
  let bytes = 0;
  for (const row of rows) {
    const line = columns.map((column) => csvCell(row[column] ?? null)).join(',');
    bytes += Buffer.byteLength(line) + 2;
    if (bytes > MOST_BYTES) break;
    lines.push(line);
  }
  return `${lines.join('\r\n')}\r\n`;
}

export const csvReply = (name: string, columns: readonly string[], rows: readonly Row[]): Reply =>
  new Reply(csvOf(columns, rows), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.csv"`,
    },
  });
