import type { FastifyInstance } from 'fastify';
import type { Clock } from '../kit/clock.ts';
import type { Config } from '../kit/config/index.ts';
import type { Contract } from '../kit/contract.ts';
import { unauthorized } from '../kit/errors.ts';
import { createPluginHosts, withPluginHosts } from '../kit/http/plugin-hosts.ts';
import { createServer } from '../kit/http/server.ts';
import { createLifecycle } from '../kit/lifecycle.ts';
import type { Log } from '../kit/log.ts';
import { createEdgeModule, type EdgeOptions } from '../service/edge/index.ts';

const STOP_DEADLINE_MS = 20_000;

export interface EdgeSurface {
  app: FastifyInstance;
  contracts: readonly Contract[];
  /** Stops accepting requests, lets running ones finish, then closes its resources. */
  close(): Promise<void>;
}

export interface EdgeSurfaceOptions extends Pick<EdgeOptions, 'timeouts'> {
  config: Config;
  log: Log;
  clock: Clock;
}

/** The edge of a cloud installation. Authentication and rate limits belong to the services behind it. */
export async function createEdgeSurface(options: EdgeSurfaceOptions): Promise<EdgeSurface> {
  const { config, log, clock, timeouts } = options;
  const edge = createEdgeModule({
    accountsUrl: config.accountsUrl ?? '',
    coreUrls: config.coreUrls,
    clock,
    log: log.child('edge'),
    ...(timeouts && { timeouts }),
  });
  const app = await createServer({
    routes: edge.routes,
    log,
    authenticate: () => {
      throw unauthorized('The edge has no route of its own that takes a token');
    },
    rateLimit: () => null,
    anonymous: null,
    corsOrigins: [],
    guard: withPluginHosts(createPluginHosts(config.pluginOrigin)),
    trustedProxies: config.trustedProxies,
    verifyReplies: false,
  });
  await edge.attach(app);
  const lifecycle = createLifecycle({
    log,
    deadlineMs: STOP_DEADLINE_MS,
    parts: [
      edge,
      {
        name: 'http',
        stop: async () => {
          edge.endTunnels();
          await app.close();
        },
      },
    ],
  });
  await lifecycle.start();
  return {
    app,
    contracts: edge.routes.map((route) => route.contract),
    close: async () => void (await lifecycle.stop()),
  };
}
