import type { MountedModule } from '../../frame/assemble.ts';
import type { LogFiles } from '../../kit/log/index.ts';
import type { Metrics } from '../../kit/metrics.ts';
import { docsRoutes } from './docs.routes.ts';
import { createDocs, type DocsOptions } from './docs.service.ts';
import { healthRoutes } from './health.routes.ts';
import { createHealth, type HealthOptions } from './health.service.ts';
import { logRoutes } from './logs.routes.ts';
import { createLogs } from './logs.service.ts';
import { metricsRoutes } from './metrics.routes.ts';

export const createOperationsModule = (
  options: HealthOptions & DocsOptions & { metrics: Metrics },
): MountedModule => ({
  name: 'operations',
  routes: [
    ...healthRoutes(createHealth(options)),
    ...metricsRoutes(options.metrics),
    ...docsRoutes(createDocs(options)),
  ],
});

/** The installation's logs, for the admins of a single-tenant installation. */
export const createLogsModule = (logFiles: LogFiles): MountedModule => ({
  name: 'logs',
  routes: logRoutes(createLogs(logFiles)),
});
