import { bootstrap } from './bootstrap.mjs';

await bootstrap(import.meta.url);
const { runStages } = await import('./lib/stages.mjs');
const { inRoot } = await import('./lib/paths.mjs');
const { runTests } = await import('./lib/run-tests.mjs');
const { useMemory } = await import('./lib/test-folder.mjs');
const { provideServers } = await import('./lib/test-servers.mjs');

const paths = process.argv.slice(2);
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => interruption.abort(new Error(`it got ${signal}`)));

const { passed, line } = await everything();
console.log(line);
process.exit(passed ? 0 : 1);

async function everything() {
  const failure = { passed: false, line: '0 passed, 1 failed' };
  if (paths.length === 0) {
    if (!(await runStages())) return failure;
    process.env.CANONRY_TEST_PROGRAM = inRoot('dist/main.js');
  }
  const removeFiles = useMemory();
  const servers = await provideServers();
  try {
    for (const suite of servers.missing) console.log(`NOT RUN: ${suite}`);
    if (servers.missing.length > 0 && process.env.CI === 'true') return failure;
    // What failed for want of a server would hide the cause.
    servers.lost.then((how) => interruption.abort(new Error(how)));
    const { failed, line } = await runTests(paths, interruption.signal);
    return { passed: failed === 0, line };
  } catch (error) {
    console.log(error.message);
    return failure;
  } finally {
    await servers.stop();
    removeFiles();
  }
}
