const NETWORK = /^https?:\/\//i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** Null if the text can be an asset's path. Network addresses are accepted. */
export function assetPathFault(value: string): string | null {
  if (NETWORK.test(value)) return null;
  const isElsewhere = /^[\\/]/.test(value) || SCHEME.test(value);
  const leadsOut = value.split(/[\\/]/).some((part) => part === '..');
  if (!isElsewhere && !leadsOut) return null;
  return "must be a path below the entity's folder or the project, such as images/portrait.png";
}
