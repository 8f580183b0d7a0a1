import { HttpError } from '../../kit/errors.ts';
import { type Route, route } from '../../kit/route.ts';
import { getLiveness, getReadiness, getStatus } from '../operations/health.contract.ts';
import type { Target, Upstream } from './upstream.ts';

const PROBE_TIMEOUT_MS = 2_000;

/** The edge's own health: it is healthy as soon as it listens, and ready once each service has a process that answers. */
export const edgeRoutes = (upstreams: readonly Upstream[]): Route[] => [
  route(getStatus, () => ({ status: 'healthy' as const })),
  route(getLiveness, () => ({ status: 'alive' as const })),
  route(getReadiness, async () => {
    const found = await Promise.all(upstreams.map(answers));
    const missing = upstreams.filter((_, index) => !found[index]).map(({ name }) => name);
    if (missing.length === 0) return { status: 'ready' as const };
    throw new HttpError(503, `Not ready: no answer from ${missing.join(' and ')}`, {
      code: 'unavailable',
      headers: { 'retry-after': '5' },
      body: { status: 'not_ready', waiting_for: missing },
    });
  }),
];

const answers = (upstream: Upstream): Promise<boolean> =>
  Promise.any(upstream.targets().map(probe)).then(
    () => true,
    () => false,
  );

/** Rejects if the process does not answer in time. */
async function probe({ origin, prefix }: Target): Promise<void> {
  const reply = await fetch(`${origin}${prefix}/livez`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
  await reply.arrayBuffer();
}
