import { fitsLimit, isPlanName, PLANS } from '../access/plans.ts';
import type { MountedModule } from '../frame/assemble.ts';
import type { Clock } from '../kit/clock.ts';
import { isoTime } from '../kit/clock.ts';
import { creditsDeducted } from '../kit/credits.events.ts';
import { Reply, type Route, type RouteRequest } from '../kit/route.ts';
import { changeSubscription, getBillingStatus } from '../people/billing/subscription.contract.ts';
import { consumeCredits, consumeTokens } from '../people/credits/credits.contract.ts';
import type { Bus } from '../platform/bus/bus.ts';

export interface MoneyEffectsOptions {
  bus: Bus;
  clock: Clock;
  countEntities(tenantId: string): Promise<number>;
}

/** A core's addition to a reply: it alone has the content and tells its listeners. */
type Effect = (reply: unknown, request: RouteRequest) => Promise<unknown>;

interface Spent {
  consumed: number;
  operation: string;
  balance: number;
  unlimited: boolean;
}

/** Wraps the routes of money that concern content or events, wherever they are served. */
export function withMoneyEffects(
  modules: readonly MountedModule[],
  { bus, clock, countEntities }: MoneyEffectsOptions,
): MountedModule[] {
  const announceSpending: Effect = async (reply, { tenantId }) => {
    const { consumed, operation, balance, unlimited } = reply as Spent;
    const remaining = unlimited ? -1 : balance;
    const timestamp = isoTime(clock.now());
    bus.publish({ tenantId, projectId: null }, creditsDeducted, {
      amount: consumed,
      remaining,
      operation,
      timestamp,
    });
    return reply;
  };

  const addEntities: Effect = async (reply, { tenantId, plan }) => {
    const found = reply as { plan?: unknown; over_limits: object[] };
    const { entities_limit: allowed } = PLANS[isPlanName(found.plan) ? found.plan : plan];
    const used = await countEntities(tenantId);
    if (fitsLimit(allowed, used, 0)) return reply;
    const message = `There are ${used} entities, and the plan has room for ${allowed}: all of them stay and can be edited and exported, but new ones have to wait until there are ${used - allowed} fewer or the plan is larger`;
    return { ...found, over_limits: [...found.over_limits, { limit: 'entities', used, allowed, message }] };
  };

  const effects = new Map<string, Effect>([
    [consumeCredits.name, announceSpending],
    [consumeTokens.name, announceSpending],
    [getBillingStatus.name, addEntities],
    [changeSubscription.name, addEntities],
  ]);
  return modules.map((module) => ({
    ...module,
    routes: module.routes.map((route) => withEffect(route, effects.get(route.contract.name))),
  }));
}

/**
 * A reply that says it is a repeated one gets no effect: what it says is of the first time, so it would name an older balance and count an
 * expense twice.
 */
function withEffect(route: Route, effect: Effect | undefined): Route {
  if (effect === undefined) return route;
  return {
    ...route,
    async handle(request) {
      const result = await route.handle(request);
      if (!(result instanceof Reply)) return effect(result, request);
      const { body, headers, status } = result;
      if (headers['idempotency-replayed'] === 'true') return result;
      return new Reply(await effect(body, request), { headers, ...(status !== undefined && { status }) });
    },
  };
}
