import { bootstrap } from './bootstrap.mjs';

await bootstrap(import.meta.url);
const { useMemory } = await import('./lib/test-folder.mjs');
const { inRoot } = await import('./lib/paths.mjs');
const { buildIfStale } = await import('./lib/bundle.mjs');
const { provideServers } = await import('./lib/test-servers.mjs');

const [cases = 300, firstSeed = 1, cores = 1] = process.argv.slice(2).map(Number);
if (!(cases > 0) || !Number.isInteger(firstSeed) || (cores !== 1 && cores !== 2)) {
  console.error(
    'Usage: npm run replicas -- [cases, 300 unless given] [first seed, 1 unless given] [cores of the cloud, 1 or 2]',
  );
  process.exit(2);
}
await buildIfStale();
process.env.CANONRY_TEST_PROGRAM = inRoot('dist/main.js');
const removeFiles = useMemory();
const servers = cores === 2 ? await provideServers() : null;
try {
  if (servers?.missing.length) throw new Error(`Two cores need both servers. ${servers.missing.join('. ')}`);
  // Imported late: it needs the tested program's path.
  const { runCases, shownPlayed } = await import('../test/support/replicas/run-cases.ts');
  let done = 0;
  const played = await runCases({
    cases,
    firstSeed,
    cores,
    moves: true,
    onCase(seed, { failure }) {
      done += 1;
      if (failure !== null) console.log(`seed ${seed}: ${failure}`);
      if (done % 100 === 0 || done === cases) console.log(`${done} of ${cases} cases`);
    },
  });
  console.log(`From seed ${firstSeed} on: ${shownPlayed(played)}`);
  process.exitCode = played.failures.length === 0 ? 0 : 1;
} finally {
  await servers?.stop();
  removeFiles();
}
