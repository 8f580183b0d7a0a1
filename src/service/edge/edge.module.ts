import type { FastifyInstance } from 'fastify';
import type { MountedModule } from '../../frame/assemble.ts';
import type { Clock } from '../../kit/clock.ts';
import { HttpError } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { EDGE_POLICY } from './edge.policy.ts';
import { edgeRoutes } from './edge.routes.ts';
import { createAnswerFinder } from './find-answer.ts';
import { createForward } from './forward.ts';
import type { EdgePatience } from './patience.ts';
import { createTunnels } from './tunnels.ts';
import { createUpstream } from './upstream.ts';

export interface EdgeOptions {
  accountsUrl: string;
  coreUrls: readonly string[];
  clock: Clock;
  log: Log;
  /** How long a service may be silent: a core for minutes unless given. */
  patience?: EdgePatience;
}

export interface EdgeModule extends MountedModule {
  /** Sends what is no route of the edge itself where the policy says. */
  attach(app: FastifyInstance): Promise<void>;
  /** Ends open WebSockets, which nothing else would. */
  endTunnels(): void;
}

/** Somebody who signs in hears within ten seconds that accounts stands still. */
const PATIENCE: EdgePatience = { connect: 3_000, idle: 5 * 60_000, accountsIdle: 6_000 };
/** A caller may be silent a little longer than a service, whose silence is told. */
const CALLER_EXTRA_MS = 10_000;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The single public address of a cloud installation (spec 1 §1): it keeps nothing, and passes on what its policy lets through. */
export function createEdgeModule(options: EdgeOptions): EdgeModule {
  const { accountsUrl, coreUrls, clock, log, patience = PATIENCE } = options;
  const upstreams = {
    accounts: createUpstream({
      name: 'accounts',
      urls: [accountsUrl],
      patience: { ...patience, idle: patience.accountsIdle },
      clock,
      log,
    }),
    core: createUpstream({ name: 'core', urls: coreUrls, patience, clock, log }),
  };
  const tunnels = createTunnels();
  const forward = createForward({ tunnels, log });
  const answerTo = createAnswerFinder(EDGE_POLICY);

  return {
    name: 'edge',
    routes: edgeRoutes(Object.values(upstreams)),

    async attach(app) {
      tunnels.attach(app);
      app.server.setTimeout(patience.idle + CALLER_EXTRA_MS);
      await app.register(async (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', (_request, body, done) => done(null, body));
        scope.route({
          method: METHODS,
          url: '/*',
          handler: async (request, reply) => {
            const answer = answerTo(request.raw as Parameters<typeof answerTo>[0]);
            if ('status' in answer) throw refusal(answer);
            if (tunnels.asked(request.raw) && !answer.upgrades) throw noUpgrade();
            await forward(request, reply, upstreams[answer.to]);
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
