import { isoTime } from '../../kit/clock.ts';
import { callerOf } from '../../kit/principal.ts';
import { type Route, route } from '../../kit/route.ts';
import type { CountAttempt } from '../auth/index.ts';
import type { Codes } from './codes.service.ts';
import { redeemBetaCode, validateBetaCode } from './redeem.contract.ts';
import { BAD_CODE, type Redemptions } from './redemptions.service.ts';

export interface RedeemRoutesOptions {
  codes: Codes;
  redemptions: Redemptions;
  countAttempt: CountAttempt;
}

export const redeemRoutes = ({ codes, redemptions, countAttempt }: RedeemRoutesOptions): Route[] => [
  route(validateBetaCode, async ({ params }) => {
    const code = await codes.usable(params.code);
    if (code === null) return { valid: false, message: BAD_CODE };
    const { plan, days, credits, features } = code;
    const message = 'This code can be redeemed';
    return { valid: true, message, plan, days, credits, features: JSON.parse(features) };
  }),
  route(redeemBetaCode, async (request) => {
    const { tenantId, userId } = callerOf(request);
    await countAttempt('password', `beta codes of ${tenantId}`);
    const { plan, endsAtMs, credits, features, cohort } = await redemptions.redeem(request.body.code, {
      tenantId,
      userId,
    });
    return {
      plan,
      access_ends_at: isoTime(endsAtMs),
      credits,
      features: features as Record<string, boolean>,
      cohort,
    };
  }),
];
