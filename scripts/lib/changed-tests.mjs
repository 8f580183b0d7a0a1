import { posix } from 'node:path';
import { importsOf } from './imports.mjs';

const SOURCE = /\.(?:tsx?|mjs)$/;
const TEST = /\.test\.(?:ts|mjs)$/;
/** Prose is read by people, and by tests that name it. */
const PROSE = /^(?:docs\/|src\/.*)?[^/]+\.md$/;
/** Packages, and the command that runs the tests: every test depends on them. */
const UNDER_ALL = [
  /^package(?:-lock)?\.json$/,
  /^scripts\/(?:bootstrap|test)\.mjs$/,
  /^scripts\/lib\/(?:run-tests|test-(?:file|folder|hooks|reporter|servers|summary)|postgres|redis|sqlite-template|private-server|browser|packages)\.mjs$/,
];
/** A path in quotes, up to a template's first insertion. A string after `from` is an import. */
const NAMED = /(?<!\bfrom )['"`]([\w.@/-]+)(?:['"`]|\$\{)/g;

/**
 * The tests that a change can reach: those that import or name a changed file, or reach a source that does.
 * Type imports do not count, since they vanish at run time. A folder's name stands for the files in it that
 * are not sources.
 * @param {string[]} changed paths in the checkout, including deleted files
 * @param {Map<string, string>} sources path in the checkout to text
 * @returns {{tests: string[], why: string}}
 */
export function testsReachedBy(changed, sources) {
  const tests = [...sources.keys()].filter((file) => TEST.test(file)).sort();
  const base = changed.find((file) => UNDER_ALL.some((pattern) => pattern.test(file)));
  if (base) return { tests, why: `each depends on ${base}` };

  const graph = new Map([...sources].map(([file, text]) => [file, needsOf(file, text)]));
  const unnamed = changed.find((file) => isOther(file) && usersOf(file, graph).length === 0);
  if (unnamed) return { tests, why: `nothing tells which of them read ${unnamed}` };

  const found = new Set(changed);
  for (const file of found) for (const user of usersOf(file, graph)) found.add(user);
  return { tests: tests.filter((file) => found.has(file)), why: `they reach ${shown(changed)}` };
}

const isOther = (file) => !SOURCE.test(file) && !PROSE.test(file);

function usersOf(file, graph) {
  const places = [file];
  if (!SOURCE.test(file))
    for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder))
      places.push(folder);
  const users = [...graph].filter(([, needs]) => places.some((place) => needs.has(place)));
  return users.map(([user]) => user).filter((user) => TEST.test(user) || !PROSE.test(file));
}

/**
 * The files that a source imports or names, as paths in the checkout; a name may be relative to its folder or to the
 * root.
 */
function needsOf(file, text) {
  const imported = importsOf(file, text).filter(({ isType }) => !isType);
  const named = [...text.matchAll(NAMED)].flatMap(([, name]) => [
    posix.join(posix.dirname(file), name),
    posix.normalize(name),
  ]);
  return new Set([...imported.map(({ target }) => target), ...named.map((path) => path.replace(/\/$/, ''))]);
}

const shown = ([first, ...more]) => (more.length > 0 ? `${first} and ${more.length} more` : first);
