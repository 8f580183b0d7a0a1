import { partsOf } from '../../kit/parts.ts';

/** Databases limit the parameters of one statement. */
const PER_QUERY = 500;

/** Runs a query over any number of values, a part at a time, and joins the rows. */
export async function inParts<Value, Row>(
  values: readonly Value[],
  query: (part: Value[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const part of partsOf(values, PER_QUERY)) rows.push(...(await query(part)));
  return rows;
}
