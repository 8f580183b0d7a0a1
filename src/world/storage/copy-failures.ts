import { eachAtOnce } from '../../kit/each-at-once.ts';
import { FilesError } from '../../platform/files/files.ts';

/** Files that a round left out; the next round tries them again. */
export interface LeftOut {
  reasons: string[];
  /** Files that were not tried after too many failures in a row. */
  untried: number;
}

const AT_ONCE = 4;
/** Failures in a row that mean a fault of the storage rather than of a file. */
const MOST_IN_A_ROW = AT_ONCE;
const MOST_NAMED = 5;

/**
 * Skips failed files, up to a number of failures in a row; any error but a `FilesError` ends it. The order is random, since files
 * that fail together are often neighbours.
 */
export async function eachPastFailures<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<LeftOut> {
  const left: LeftOut = { reasons: [], untried: 0 };
  let inARow = 0;
  await eachAtOnce(shuffled(items), AT_ONCE, async (item) => {
    if (inARow >= MOST_IN_A_ROW) {
      left.untried += 1;
      return;
    }
    try {
      await work(item);
      inARow = 0;
    } catch (error) {
      if (!(error instanceof FilesError)) throw error;
      inARow += 1;
      left.reasons.push(error.message);
    }
  });
  return left;
}

export const together = (parts: readonly LeftOut[]): LeftOut => ({
  reasons: parts.flatMap(({ reasons }) => reasons),
  untried: parts.reduce((sum, { untried }) => sum + untried, 0),
});

export function describeLeftOut({ reasons, untried }: LeftOut): string | null {
  if (reasons.length === 0) return null;
  const named = reasons.slice(0, MOST_NAMED).join('; ');
  const others = reasons.length > MOST_NAMED ? `; and ${reasons.length - MOST_NAMED} more` : '';
  const rest = untried > 0 ? `. ${filesWere(untried)} not tried, as one after the other had failed` : '';
  return `${filesWere(reasons.length)} not copied: ${named}${others}${rest}`;
}

const filesWere = (count: number): string => (count === 1 ? '1 file was' : `${count} files were`);

const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
