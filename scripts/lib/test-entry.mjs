import { relative } from 'node:path';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from './paths.mjs';
import { declaredTests } from './test-hooks.mjs';

/*
 * Loads the test files named as arguments into this process. `node --test` could do so too, but tracks every promise
 * (`test-hooks.mjs`). No test starts before a suite is built, so none before all files are loaded.
 */
suite('files', async () => {
  // Tests declared before that would belong to this suite.
  await null;
  // A test may have arguments of its own, which these are not.
  for (const file of process.argv.splice(2)) {
    const before = declaredTests();
    const fault = await import(pathToFileURL(file)).then(
      () => declaredTests() === before && 'the file declares no test',
      (error) => error,
    );
    if (fault) test(relative(root, file), () => Promise.reject(fault));
  }
});
