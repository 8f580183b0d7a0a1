import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';

await bootstrap(import.meta.url);
const { useMemory } = await import('./lib/test-folder.mjs');
const { provideServers } = await import('./lib/test-servers.mjs');

const [cases = 1000, firstSeed = 1] = process.argv.slice(2, 4).map(Number);
const only = process.argv[4];
if (!(cases > 0) || !Number.isInteger(firstSeed) || ![undefined, 'sqlite', 'postgres'].includes(only)) {
  console.error(
    'Usage: npm run money-histories -- [cases, 1000 unless given] [first seed, 1 unless given] [sqlite or postgres; both in turn unless given]',
  );
  process.exit(2);
}
// Outside of what is removed at the end.
const kept = tmpdir();
const removeFiles = useMemory();
const servers = only === 'sqlite' ? null : await provideServers();
try {
  const { moneyHistories } = await import('../test/support/money/histories.ts');
  const { openTestPostgres, openTestSqlite } = await import('../test/support/databases.ts');
  const both = { sqlite: openTestSqlite, postgres: openTestPostgres };
  const databases = only === undefined ? both : { [only]: both[only] };
  let [done, failed] = [0, 0];
  for await (const { seed, database, failure, journal } of moneyHistories({ cases, firstSeed, databases })) {
    done += 1;
    if (failure !== null) {
      failed += 1;
      const file = join(kept, `canonry-money-${seed}-${process.pid}.jsonl`);
      writeFileSync(file, journal.lines());
      console.log(
        `seed ${seed} on ${database}: ${failure}\n  what was done: ${file}\n  again: npm run money-histories -- 1 ${seed} ${database}`,
      );
    }
    if (done % 20 === 0 || done === cases) console.log(`${done} of ${cases} histories, ${failed} failed`);
  }
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await servers?.stop();
  removeFiles();
}
