import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Before tests move it into memory, which is removed at the end.
const folder = tmpdir();

/** Plays histories, keeps what was done in those that end badly, and resolves to how many did. */
export async function playHistories(all, cases) {
  let [done, failed] = [0, 0];
  for await (const { seed, failure, journal } of all) {
    done += 1;
    if (failure !== null) {
      failed += 1;
      const kept = join(folder, `canonry-history-${seed}-${process.pid}.jsonl`);
      writeFileSync(kept, journal.lines());
      console.log(`seed ${seed}: ${failure}\n  what was done: ${kept}`);
    }
    if (done % 100 === 0 || done === cases) console.log(`${done} of ${cases} histories, ${failed} failed`);
  }
  return failed;
}
