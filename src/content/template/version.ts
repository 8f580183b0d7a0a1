/** `2.0` → `2.1`, `3` → `3.1`, `2.0.4` → `2.1.0`; what is no version becomes `2.1`. */
export function bumpMinorVersion(version: string): string {
  const parts = /^(\d+)(?:\.(\d+))?((?:\.\d+)*)$/.exec(version.trim());
  if (parts === null) return '2.1';
  const [, major = '2', minor = '0', rest = ''] = parts;
  return `${major}.${BigInt(minor) + 1n}${rest.replace(/\d+/g, '0')}`;
}

const VERSION = /^\d+(\.\d+)*$/;
const numbersOf = (version: string): bigint[] => version.trim().split('.').map(BigInt);

/** A text that is no version comes after nothing. */
export function isLaterVersion(version: string, than: string): boolean {
  if (!VERSION.test(version.trim())) return false;
  if (!VERSION.test(than.trim())) return true;
  const [one, other] = [numbersOf(version), numbersOf(than)];
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const [a, b] = [one[at] ?? 0n, other[at] ?? 0n];
    if (a !== b) return a > b;
  }
  return false;
}
