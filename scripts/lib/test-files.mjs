import { globSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { changedFiles } from './changed-files.mjs';
import { testsReachedBy } from './changed-tests.mjs';
import { inRoot, root } from './paths.mjs';

const ALL = ['{src,test,plugins}/**/*.test.ts', 'scripts/**/*.test.mjs'];
const SOURCES = ['{src,test,bench,plugins}/**/*.{ts,tsx}', 'scripts/**/*.mjs'];

/**
 * The test files below some paths.
 * @param {string[]} paths files or folders; none means all
 */
export function testFilesIn(paths) {
  const files = paths.length > 0 ? paths.flatMap(testFilesOf) : filesOf(ALL).map((file) => inRoot(file));
  if (files.length === 0) throw new Error(`No test files in ${paths.join(', ') || 'the checkout'}`);
  return files;
}

/** Prints their number and the reason. */
export function changedTestFiles() {
  const changed = changedFiles();
  if (changed.length === 0) {
    console.log('no test file: nothing differs from main');
    return [];
  }
  const sources = new Map(filesOf(SOURCES).map((file) => [file, readFileSync(inRoot(file), 'utf8')]));
  const { tests, why } = testsReachedBy(changed, sources);
  console.log(`${tests.length} of ${filesOf(ALL).length} test files: ${why}`);
  return tests.map((file) => inRoot(file));
}

const filesOf = (patterns) => globSync(patterns, { cwd: root }).map((file) => file.replaceAll('\\', '/'));

function testFilesOf(path) {
  const absolute = resolve(root, path);
  if (!statSync(absolute, { throwIfNoEntry: false })) throw new Error(`No such file or folder: ${path}`);
  if (statSync(absolute).isFile()) return [absolute];
  return globSync('**/*.test.{ts,mjs}', { cwd: absolute }).map((file) => resolve(absolute, file));
}
