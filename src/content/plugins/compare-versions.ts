/** Three numbers, then perhaps the mark of an early version; the mark of a build does not count. */
const PARTS = /^(\d+)\.(\d+)\.(\d+)(?:-([^+]+))?(?:\+|$)/;

/** By the precedence of semantic versions. A text that is none is older than each that is one. */
export function isOlderVersion(one: string, other: string): boolean {
  const [left, right] = [PARTS.exec(one), PARTS.exec(other)];
  if (left === null || right === null) return left === null && right !== null;
  return (compareLists(left.slice(1, 4), right.slice(1, 4)) || compareMarks(left[4], right[4])) < 0;
}

/** Without a mark it is the release itself, which is newer. */
function compareMarks(left: string | undefined, right: string | undefined): number {
  if (left === undefined || right === undefined)
    return Number(left === undefined) - Number(right === undefined);
  return compareLists(left.split('.'), right.split('.'));
}

function compareLists(left: readonly string[], right: readonly string[]): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const order = compareParts(left[index] ?? '', right[index] ?? '');
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

const isNumber = (part: string): boolean => /^\d+$/.test(part);

/** Numbers come before words. They have no zeros in front and may be larger than JavaScript can count. */
function compareParts(left: string, right: string): number {
  const order = Number(isNumber(right)) - Number(isNumber(left));
  if (order !== 0) return order;
  if (isNumber(left) && left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : Number(left > right);
}
