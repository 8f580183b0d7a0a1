import type { Metrics } from '../../kit/metrics.ts';
import { Reply, type Route, route } from '../../kit/route.ts';
import { getMetrics } from './metrics.contract.ts';

export const metricsRoutes = (metrics: Metrics): Route[] => [
  route(getMetrics, async () => {
    const { text, contentType } = await metrics.render();
    return new Reply(text, { headers: { 'content-type': contentType, 'cache-control': 'no-store' } });
  }),
];
