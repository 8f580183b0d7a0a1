import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';

await bootstrap(import.meta.url);
const { useMemory } = await import('./lib/test-folder.mjs');

const [cases = 1000, firstSeed = 1, moves = 1, backups = 0] = process.argv.slice(2).map(Number);
if (!(cases > 0) || !Number.isInteger(firstSeed)) {
  console.error(
    'Usage: npm run histories -- [cases, 1000 unless given] [first seed, 1 unless given] [0: nothing is moved] [1: backups are brought back]',
  );
  process.exit(2);
}
const removeFiles = useMemory();
try {
  const { histories } = await import('../test/support/engine/histories.ts');
  let [done, failed] = [0, 0];
  for await (const { seed, failure, journal } of histories(
    { cases, firstSeed },
    { moves: moves === 1, backups: backups === 1 },
  )) {
    done += 1;
    if (failure !== null) {
      failed += 1;
      const kept = join(tmpdir(), `canonry-history-${seed}-${process.pid}.jsonl`);
      writeFileSync(kept, journal.lines());
      console.log(`seed ${seed}: ${failure}\n  what was done: ${kept}`);
    }
    if (done % 100 === 0 || done === cases) console.log(`${done} of ${cases} histories, ${failed} failed`);
  }
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  removeFiles();
}
