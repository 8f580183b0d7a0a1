import type { FastifyInstance } from 'fastify';
import type { MountedModule } from '../../frame/assemble.ts';
import type { Clock } from '../../kit/clock.ts';
import { HttpError } from '../../kit/errors.ts';
import { opensPage } from '../../kit/http/asks-for-page.ts';
import type { Log } from '../../kit/log.ts';
import { EDGE_POLICY } from './edge.policy.ts';
import { edgeRoutes } from './edge.routes.ts';
import { createForward } from './forward.ts';
import { createPolicyMatcher } from './match-policy.ts';
import type { EdgeTimeouts } from './timeouts.ts';
import { createTunnels } from './tunnels.ts';
import { createUpstream } from './upstream.ts';

export interface EdgeOptions {
  accountsUrl: string;
  coreUrls: readonly string[];
  clock: Clock;
  log: Log;
  /** Limits on the silence of services; by default a core may be silent for minutes. */
  timeouts?: EdgeTimeouts;
}

export interface EdgeModule extends MountedModule {
  /** Forwards every request that is not the edge's own, as the policy says. */
  attach(app: FastifyInstance): Promise<void>;
  /** Ends open WebSockets, which would otherwise stay open for ever. */
  endTunnels(): void;
}

/** While accounts hangs, a sign-in must fail within ten seconds. */
const TIMEOUTS: EdgeTimeouts = { connect: 3_000, idle: 5 * 60_000, accountsIdle: 6_000 };
/** A caller's connection times out later than a service's, so that the error reply still reaches it. */
const CALLER_EXTRA_MS = 10_000;
/** A core has nothing there, which its page says; the address that was asked for must not reach it. */
const UNKNOWN_PAGE = '/unknown';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The single public address of a cloud installation (spec 1 §1): stores nothing and forwards what its policy admits. */
export function createEdgeModule(options: EdgeOptions): EdgeModule {
  const { accountsUrl, coreUrls, clock, log, timeouts = TIMEOUTS } = options;
  const upstreams = {
    accounts: createUpstream({
      name: 'accounts',
      urls: [accountsUrl],
      timeouts: { ...timeouts, idle: timeouts.accountsIdle },
      clock,
      log,
    }),
    core: createUpstream({ name: 'core', urls: coreUrls, timeouts, clock, log }),
  };
  const tunnels = createTunnels();
  const forward = createForward({ tunnels, log });
  const actionFor = createPolicyMatcher(EDGE_POLICY);

  return {
    name: 'edge',
    routes: edgeRoutes(Object.values(upstreams)),

    async attach(app) {
      tunnels.attach(app);
      app.server.setTimeout(timeouts.idle + CALLER_EXTRA_MS);
      await app.register(async (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', (_request, body, done) => done(null, body));
        scope.route({
          method: METHODS,
          url: '/*',
          handler: async (request, reply) => {
            const action = actionFor(request.raw as Parameters<typeof actionFor>[0]);
            const isUpgrade = tunnels.upgradeOf(request.raw) !== null;
            if (action === null) {
              if (isUpgrade || !opensPage(request)) return reply.callNotFound();
              return forward(request, reply, { upstream: upstreams.core, url: UNKNOWN_PAGE });
            }
            if ('status' in action) throw refusal(action);
            if (isUpgrade && !action.upgrades) throw noUpgrade();
            return forward(request, reply, { upstream: upstreams[action.to] });
          },
        });
      });
    },

    endTunnels: tunnels.close,

    async stop() {
      for (const upstream of Object.values(upstreams)) upstream.close();
    },
  };
}

const refusal = ({ status, detail, ...rest }: { status: number; detail: string; code?: string }) =>
  new HttpError(status, detail, rest);

const noUpgrade = () =>
  new HttpError(400, 'Connections are upgraded at /api/ws alone: ask without Upgrade', {
    code: 'no_upgrade_here',
  });
