import type { FastifyInstance } from 'fastify';
import { unauthorized } from '../../src/kit/errors.ts';
import { createServer } from '../../src/kit/http/server.ts';
import type { LogFiles } from '../../src/kit/log/index.ts';
import { silentLog } from '../../src/kit/log.ts';
import { noMetrics } from '../../src/kit/metrics.ts';
import { createLogsModule, createOperationsModule } from '../../src/service/operations/operations.module.ts';

const noLogs: LogFiles = { list: async () => [], read: async () => [], clear: async () => {} };

type Options = Parameters<typeof createOperationsModule>[0] & { logFiles: LogFiles };

/** Only health, logs and docs. The tokens `admin`, `editor` and `viewer` are users of that role. */
export async function operationsServer({
  logFiles = noLogs,
  ...options
}: Partial<Options> = {}): Promise<FastifyInstance> {
  const module = createOperationsModule({
    tags: {},
    contracts: () => routes.map((route) => route.contract),
    probes: { database: async () => {}, storage: async () => {}, cache: async () => {} },
    countEntities: async () => 3,
    entityTypes: () => ['character', 'location'],
    version: '1.2.3',
    metrics: noMetrics,
    ...options,
  });
  const routes = [...module.routes, ...createLogsModule(logFiles).routes];
  return createServer({
    routes,
    log: silentLog,
    corsOrigins: [],
    trustedProxies: [],
    rateLimit: () => null,
    anonymous: { tenantId: 'local', plan: 'enterprise' },
    verifyReplies: true,
    authenticate: (token) => {
      if (token !== 'admin' && token !== 'editor' && token !== 'viewer') throw unauthorized('Sign in again');
      return {
        userId: token,
        email: `${token}@example.org`,
        tenantId: 'local',
        role: token,
        tenantRole: token,
        plan: 'enterprise',
      };
    },
  });
}
