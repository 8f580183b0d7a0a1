import { eachAtOnce } from '../../kit/each-at-once.ts';
import { FilesError } from '../../platform/files/files.ts';

/** What a round left out; it is tried again with the next one. */
export interface LeftOut {
  /** What is wrong with a file, in the words of people, its path included. */
  reasons: string[];
  /** Files that were not tried, since one after the other had failed. */
  untried: number;
}

const AT_ONCE = 4;
/** Failures in a row after which it is the storage that fails, not a file. */
const MOST_IN_A_ROW = AT_ONCE;
const MOST_NAMED = 5;

/**
 * Works on all of them. A file that fails is told and gone past; what `work` throws beside a `FilesError` ends it, and so
 * does one file after the other that fails. Their order is by chance: files that fail together often lie side by side.
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

/** Says what was left out; null where nothing was. */
export function leftOutInWords({ reasons, untried }: LeftOut): string | null {
  if (reasons.length === 0) return null;
  const named = reasons.slice(0, MOST_NAMED).join('; ');
  const others = reasons.length > MOST_NAMED ? `; and ${reasons.length - MOST_NAMED} more` : '';
  const rest = untried > 0 ? `. ${filesInWords(untried)} not tried, as one after the other had failed` : '';
  return `${filesInWords(reasons.length)} not copied: ${named}${others}${rest}`;
}

const filesInWords = (count: number): string => (count === 1 ? '1 file was' : `${count} files were`);

const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
