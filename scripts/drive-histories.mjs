import { bootstrap } from './bootstrap.mjs';

await bootstrap(import.meta.url);
const { playHistories } = await import('./lib/play-histories.mjs');
const { useMemory } = await import('./lib/test-folder.mjs');

const [cases = 1000, firstSeed = 1] = process.argv.slice(2).map(Number);
if (!(cases > 0) || !Number.isInteger(firstSeed)) {
  console.error('Usage: npm run drive-histories -- [cases, 1000 unless given] [first seed, 1 unless given]');
  process.exit(2);
}
const removeFiles = useMemory();
try {
  const { driveCases } = await import('../test/support/drive-histories/drive-case.ts');
  const { histories } = await import('../test/support/engine/histories.ts');
  const failed = await playHistories(histories({ cases, firstSeed }, driveCases()), cases);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  removeFiles();
}
