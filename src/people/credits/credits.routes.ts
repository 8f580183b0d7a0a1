import { isoTime } from '../../kit/clock.ts';
import { creditsRefused } from '../../kit/credits-refused.ts';
import { sha256Hex } from '../../kit/crypto.ts';
import { invalidField } from '../../kit/errors.ts';
import { idempotencyKeyOf, keyReused } from '../../kit/http/idempotency-key.ts';
import { callerOf } from '../../kit/principal.ts';
import { Reply, type Route, type RouteRequest, route } from '../../kit/route.ts';
import { userNotFound } from '../users/index.ts';
import { knownTimeZone } from './books/days.ts';
import { consumeCredits, consumeTokens, getCredits, setTeamQuota, setUserQuota } from './credits.contract.ts';
import type { CreditsService } from './credits.service.ts';
import type { UsageService } from './usage.service.ts';

interface RouteOptions {
  ledger: CreditsService;
  usage: UsageService;
  tokensPerCredit: number;
}

/** Null without a key. The digest tells a repeated request from another one under the same key. */
function onceOf(given: Pick<RouteRequest, 'headers'>, request: unknown) {
  const key = idempotencyKeyOf(given);
  return key === null ? null : { key, request: sha256Hex(JSON.stringify(request)) };
}

interface Wanted {
  amount: number;
  operation: string;
  provider?: string | undefined;
  /** The caller's input, by which a repeated request is known. */
  sent: readonly unknown[];
}

export function creditRoutes({ ledger, usage, tokensPerCredit }: RouteOptions): Route[] {
  async function spend(request: RouteRequest, { amount, operation, provider = '', sent }: Wanted) {
    const { tenantId, userId } = callerOf(request);
    const once = onceOf(request, sent);
    const reply = await ledger.consume(tenantId, { userId, amount, operation, provider, once });
    if (reply.outcome === 'reused') throw keyReused();
    if (reply.outcome === 'refused') throw creditsRefused(reply);
    const spent = { consumed: reply.spent, operation, balance: reply.balance, unlimited: reply.unlimited };
    return reply.isReplayed ? new Reply(spent, { headers: { 'idempotency-replayed': 'true' } }) : spent;
  }

  return [
    route(getCredits, async (request) => {
      const { tenantId, userId } = callerOf(request);
      const view = await ledger.look(tenantId, userId);
      return {
        balance: view.balance,
        unlimited: view.unlimited,
        reserved: view.team.reserved,
        monthly: view.monthly,
        period_start: isoTime(view.periodStartMs),
        period_end: isoTime(view.periodEndMs),
        time_zone: view.timeZone,
        sources: view.sources.map(({ source, remaining, expiresAtMs }) => ({
          source,
          remaining,
          expires_at: expiresAtMs === null ? null : isoTime(expiresAtMs),
        })),
        user_quota: view.user,
        team_quota: view.team,
      };
    }),
    route(consumeCredits, (request) => {
      const { amount, operation } = request.body;
      return spend(request as RouteRequest, { amount, operation, sent: ['credits', amount, operation] });
    }),
    route(consumeTokens, (request) => {
      const { tokens, operation, provider } = request.body;
      return spend(request as RouteRequest, {
        amount: Math.ceil(tokens / tokensPerCredit),
        operation: operation ?? 'tokens',
        provider,
        sent: ['tokens', tokens, operation, provider],
      });
    }),
    route(setTeamQuota, async ({ tenantId, body: { quota, time_zone } }) => {
      const timeZone = time_zone === undefined ? undefined : knownTimeZone(time_zone);
      if (timeZone === null)
        throw invalidField('time_zone', 'must be the IANA name of a time zone, such as Europe/Berlin');
      const { team, timeZone: set } = await ledger.setQuotas(tenantId, { quota, timeZone });
      return { ...team, time_zone: set };
    }),
    route(setUserQuota, async ({ tenantId, body: { user_id, quota } }) => {
      if ((await usage.memberOf(tenantId, user_id)) === null) throw userNotFound(user_id);
      const { user } = await ledger.setUserQuota(tenantId, user_id, quota);
      return { user_id, ...user };
    }),
  ];
}
