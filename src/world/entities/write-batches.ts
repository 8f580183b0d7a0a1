import { eachAtOnce } from '../../kit/each-at-once.ts';
import type { EntityRow, Project } from '../records/index.ts';
import type { Author } from './author.ts';
import type { BatchOrigin, TextWrite } from './text-write.ts';
import type { WriteMany } from './write-many.service.ts';

/** So many are stored in one transaction: others wait that long. */
const BATCH = 120;
/** While one batch waits for the disk, others are read, and they share its syncs: all that come in one request or page. */
const AT_ONCE = 5;

/** Writes any number of texts, many at a time; `taken` is told of each batch. Resolves to those that were left. */
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
