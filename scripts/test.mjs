import { bootstrap } from './bootstrap.mjs';

await bootstrap(import.meta.url);
const { runStages } = await import('./lib/stages.mjs');
const { inRoot } = await import('./lib/paths.mjs');
const { createSqliteTemplate } = await import('./lib/sqlite-template.mjs');
const { runTests } = await import('./lib/run-tests.mjs');
const { changedTestFiles, testFilesIn } = await import('./lib/test-files.mjs');
const { useMemory } = await import('./lib/test-folder.mjs');
const { provideServers } = await import('./lib/test-servers.mjs');
const { needsBrowser, provideBrowser } = await import('./lib/browser.mjs');
const { buildIfStale } = await import('./lib/bundle.mjs');

const paths = process.argv.slice(2);
const isWhole = paths.length === 0;
const isChangeOnly = paths[0] === '--changed';
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => interruption.abort(new Error(`it got ${signal}`)));

const failure = { passed: false, line: '0 passed, 1 failed' };
const { passed, line } = await everything().catch((error) => {
  console.log(error.message);
  return failure;
});
console.log(line);
process.exit(passed ? 0 : 1);

async function everything() {
  const files = isChangeOnly ? changedTestFiles() : testFilesIn(paths);
  if (files.length === 0) return { passed: true, line: '0 passed, 0 failed' };
  if (isWhole) {
    if (!(await runStages())) return failure;
  }
  // A journey opens the web app as the service serves it.
  if (isWhole || files.some((file) => file.endsWith('.journey.test.ts'))) {
    await buildIfStale();
    process.env.CANONRY_TEST_PROGRAM = inRoot('dist/main.js');
  }
  const removeFiles = useMemory();
  const template = await createSqliteTemplate();
  process.env.TEST_SQLITE_TEMPLATE = template.path;
  const servers = await provideServers();
  const browser = await provideBrowser(files);
  try {
    const missing = [...servers.missing, ...browser.missing];
    for (const suite of missing) console.log(`NOT RUN: ${suite}`);
    if (missing.length > 0 && process.env.CI === 'true') return failure;
    // Failures caused by a missing server would hide the cause.
    for (const { lost } of [servers, browser]) lost.then((how) => interruption.abort(new Error(how)));
    const runnable = browser.missing.length > 0 ? files.filter((file) => !needsBrowser(file)) : files;
    const { failed, line } = await runTests(runnable, interruption.signal);
    return { passed: failed === 0, line };
  } finally {
    await Promise.all([servers.stop(), browser.stop()]);
    template.remove();
    removeFiles();
  }
}
