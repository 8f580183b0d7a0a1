import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Patterns of slow files. These start first, so that no processor idles while the last of them runs. */
const LONG = [
  /\/all-end-well\.ts'/,
  /\/(?:service-process|constellation|studio|see-screens)\.ts'/,
  /forEachDatabase|startCloud/,
];
/** How many of the patterns mean that the work is done by processes which the file starts: it needs one of its own. */
const STARTS_PROCESSES = 2;
/** A file that measures how long others wait would mostly measure the tests beside it. */
const LAST = /\/floor-process\.ts'/;
/** Hooks of all tests, which would apply to the tests of the other files too, and measures of the whole process. */
const APART = /^(?:before|beforeEach|afterEach)\(|process\.(?:on|once|chdir)\(|cpu-time\.ts'|memoryUsage/m;
/** Loading the sources takes longer than a usual file's tests; a process of more files would end too late. */
const TOGETHER = 8;
/** Files with whole clouds, or with each test on all databases, take longer. */
const LONG_TOGETHER = 3;

/**
 * @param {string[]} files
 * @returns {{beside: string[], last: string[]}} those that may run beside one another, and those that run last, each by itself
 */
export function separateLast(files) {
  const isLast = (file) => LAST.test(readFileSync(file, 'utf8'));
  const { last = [], beside = [] } = Object.groupBy(files, (file) => (isLast(file) ? 'last' : 'beside'));
  return { beside, last };
}

/**
 * Test files of one folder share processes, which load the sources once, unless they need one of their own.
 * @param {string[]} files
 * @returns {string[][]} longest first
 */
export function batchesOf(files) {
  const ranked = files.toSorted().map((file) => {
    const text = readFileSync(file, 'utf8');
    const found = LONG.findIndex((pattern) => pattern.test(text));
    const rank = found < 0 ? LONG.length : found;
    return { file, rank, isAlone: rank < STARTS_PROCESSES || APART.test(text) };
  });
  const batches = [];
  for (const [, members] of Map.groupBy(ranked, ({ file, rank }) => `${rank} ${dirname(file)}`)) {
    const [alone, together] = [
      members.filter(({ isAlone }) => isAlone),
      members.filter(({ isAlone }) => !isAlone),
    ];
    batches.push(...alone.map((member) => [member]), ...chunksOf(together));
  }
  return batches.sort(([a], [b]) => a.rank - b.rank).map((members) => members.map(({ file }) => file));
}

/** Of nearly the same length. */
function chunksOf(members) {
  const most = members[0]?.rank < LONG.length ? LONG_TOGETHER : TOGETHER;
  const size = Math.ceil(members.length / Math.ceil(members.length / most));
  return Array.from({ length: Math.ceil(members.length / size) || 0 }, (_, index) =>
    members.slice(index * size, (index + 1) * size),
  );
}
