import { bootstrap } from './bootstrap.mjs';

await bootstrap(import.meta.url);
const { playHistories } = await import('./lib/play-histories.mjs');
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
  const { engineCases } = await import('../test/support/engine/engine-case.ts');
  const { histories } = await import('../test/support/engine/histories.ts');
  const play = engineCases({ moves: moves === 1, backups: backups === 1 });
  const failed = await playHistories(histories({ cases, firstSeed }, play), cases);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  removeFiles();
}
