/** The next minor version: `2.0` → `2.1`, `3` → `3.1`, `2.0.4` → `2.1.0`; what is no version becomes `2.1`. */
export function bumpMinorVersion(version: string): string {
  const parts = /^(\d+)(?:\.(\d+))?((?:\.\d+)*)$/.exec(version.trim());
  if (parts === null) return '2.1';
  const [, major = '2', minor = '0', rest = ''] = parts;
  return `${major}.${BigInt(minor) + 1n}${rest.replace(/\d+/g, '0')}`;
}
