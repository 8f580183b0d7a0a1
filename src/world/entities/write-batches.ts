import { eachAtOnce } from '../../kit/each-at-once.ts';
import type { EntityRow, Project } from '../records/index.ts';
import type { Author } from './author.ts';
import type { BatchOrigin, TextWrite } from './text-write.ts';
import type { WriteMany } from './write-many.service.ts';

const BATCH = 120;
/** Concurrent batches: one waits for the disk while others are read, and they share its syncs. */
const AT_ONCE = 5;

/** Writes any number of texts in batches and calls `taken` after each. Resolves to the texts that were left. */
export async function writeBatches(
  writeMany: WriteMany,
  project: Project,
  writes: readonly TextWrite[],
  {
    author,
    origin,
    taken,
  }: { author: Author; origin: BatchOrigin; taken(write: TextWrite, row: EntityRow): void },
): Promise<TextWrite[]> {
  const left: TextWrite[] = [];
  await eachAtOnce(batchesOf(writes), AT_ONCE, async (batch) => {
    const rows = await writeMany(project, batch, author, origin);
    for (const write of batch) {
      const row = rows.get(write);
      if (row) taken(write, row);
      else left.push(write);
    }
  });
  return left;
}

function batchesOf(writes: readonly TextWrite[]): TextWrite[][] {
  const batches: TextWrite[][] = [];
  for (let at = 0; at < writes.length; at += BATCH) batches.push(writes.slice(at, at + BATCH));
  return batches;
}
