/**
 * Why the browser's store does not work: there is none; a tab with an older page keeps it from opening; a newer page has
 * changed it; the disk or the quota is full; anything else.
 */
export type StoreFault =
  | { kind: 'missing' | 'blocked' | 'outdated' | 'full' }
  | { kind: 'broken'; message: string };

export function faultOf(error: unknown): StoreFault {
  if (!(error instanceof Error)) return { kind: 'broken', message: String(error) };
  if (error.name === 'QuotaExceededError') return { kind: 'full' };
  if (error.name === 'VersionError') return { kind: 'outdated' };
  return { kind: 'broken', message: error.message };
}
