import type { FastifyInstance } from 'fastify';
import type { Clock } from '../kit/clock.ts';
import type { Config } from '../kit/config/index.ts';
import type { Contract } from '../kit/contract.ts';
import { unauthorized } from '../kit/errors.ts';
import { createServer } from '../kit/http/server.ts';
import { createLifecycle } from '../kit/lifecycle.ts';
import type { Log } from '../kit/log.ts';
import type { LlmLimits } from '../platform/llm/limits.ts';
import { createTurns, inferenceRoutes } from '../service/inference/index.ts';
import { openLocalLlms } from './llms.ts';

const STOP_DEADLINE_MS = 20_000;

export interface AiSurface {
  app: FastifyInstance;
  contracts: readonly Contract[];
  close(): Promise<void>;
}

export interface AiSurfaceOptions {
  config: Config;
  log: Log;
  clock: Clock;
  limits?: Partial<LlmLimits>;
}

/** Asks models for cores, in a process of its own (spec 1 §4.11). It stores nothing. */
export async function createAiSurface({ config, log, clock, limits }: AiSurfaceOptions): Promise<AiSurface> {
  const llms = openLocalLlms(config, limits);
  const routes = inferenceRoutes({
    llms,
    turns: createTurns({ atOnce: config.aiAtOnce, clock }),
    isCloud: config.deployment === 'cloud',
    log: log.child('inference'),
  });
  const app = await createServer({
    routes,
    log,
    authenticate: () => {
      throw unauthorized('The AI surface has no route that takes a token of a user');
    },
    rateLimit: () => null,
    anonymous: null,
    corsOrigins: [],
    trustedProxies: config.trustedProxies,
    serviceToken: config.serviceToken,
    verifyReplies: false,
  });
  const lifecycle = createLifecycle({
    log,
    deadlineMs: STOP_DEADLINE_MS,
    parts: [
      { name: 'models', stop: async () => llms.close() },
      { name: 'http', stop: () => app.close() },
    ],
  });
  await lifecycle.start();
  return {
    app,
    contracts: routes.map(({ contract }) => contract),
    close: async () => void (await lifecycle.stop()),
  };
}
