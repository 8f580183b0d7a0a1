import { bootstrap } from './bootstrap.mjs';

await bootstrap(import.meta.url);
const { runStages } = await import('./lib/stages.mjs');
const { runTests } = await import('./lib/run-tests.mjs');
const { provideServers } = await import('./lib/test-servers.mjs');

const paths = process.argv.slice(2);
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interruption.abort());

const { passed, line } = await everything();
console.log(line);
process.exit(passed ? 0 : 1);

async function everything() {
  const failure = { passed: false, line: '0 passed, 1 failed' };
  if (paths.length === 0 && !(await runStages())) return failure;
  const servers = await provideServers();
  try {
    for (const suite of servers.missing) console.log(`NOT RUN: ${suite}`);
    if (servers.missing.length > 0 && process.env.CI === 'true') return failure;
    const { failed, line } = await runTests(paths, interruption.signal);
    return { passed: failed === 0 && !interruption.signal.aborted, line };
  } catch (error) {
    console.log(error.message);
    return failure;
  } finally {
    await servers.stop();
  }
}
