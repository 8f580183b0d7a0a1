const USUAL_WAIT_MS = 2_000;
/** No connection is held longer, whatever the caller asks for. */
const LONGEST_WAIT_S = 60;

/** From the header `Prefer` (RFC 7240), `wait=10` or `respond-async`; two seconds by default. */
export function preferredWaitMs(header: string | string[] | undefined): number {
  const preferences = [header ?? []].flat().join(',').toLowerCase();
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})/.exec(preferences)?.[1];
  if (seconds !== undefined) return Math.min(Number(seconds), LONGEST_WAIT_S) * 1_000;
  return /(?:^|[,;\s])respond-async(?:$|[,;\s])/.test(preferences) ? 0 : USUAL_WAIT_MS;
}
