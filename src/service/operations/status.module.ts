import type { MountedModule } from '../../frame/assemble.ts';
import type { Metrics } from '../../kit/metrics.ts';
import { type Route, route } from '../../kit/route.ts';
import { docsRoutes, rootRoute } from './docs.routes.ts';
import { createDocs, type DocsOptions } from './docs.service.ts';
import { getLiveness, getReadiness, getStatus } from './health.contract.ts';
import { createHealth, type HealthOptions } from './health.service.ts';
import { metricsRoutes } from './metrics.routes.ts';

export type StatusOptions = DocsOptions & Pick<HealthOptions, 'probes'> & { metrics: Metrics };

export function createStatusModule(options: StatusOptions): MountedModule {
  const { probes } = options;
  const health = createHealth({
    probes,
    countEntities: async () => {
      await probes.database();
      return 0;
    },
    entityTypes: () => [],
  });
  const routes: Route[] = [
    route(getStatus, async () => {
      const { status } = await health.health();
      return { status };
    }),
    route(getLiveness, () => ({ status: 'alive' as const })),
    route(getReadiness, () => health.readiness()),
    ...metricsRoutes(options.metrics),
    rootRoute,
    ...docsRoutes(createDocs(options)),
  ];
  return { name: 'operations', routes };
}
