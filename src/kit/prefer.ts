const USUAL_WAIT_MS = 2_000;
/** Nobody's connection is held longer, whatever was asked. */
const LONGEST_WAIT_S = 60;

/**
 * How long a request waits for work that may go on after it, in milliseconds: as its header `Prefer` says (RFC 7240),
 * `wait=10` or `respond-async`, else two seconds.
 */
export function preferredWaitMs(header: string | string[] | undefined): number {
  const preferences = [header ?? []].flat().join(',').toLowerCase();
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})/.exec(preferences)?.[1];
  if (seconds !== undefined) return Math.min(Number(seconds), LONGEST_WAIT_S) * 1_000;
  return /(?:^|[,;\s])respond-async(?:$|[,;\s])/.test(preferences) ? 0 : USUAL_WAIT_MS;
}
