import type { FeatureOverrides } from '../../access/entitlements.ts';
import { isoTime } from '../../kit/clock.ts';
import type { BodyOf } from '../../kit/contract.ts';
import { invalid } from '../../kit/errors.ts';
import { callerOf } from '../../kit/principal.ts';
import type { Route } from '../../kit/route.ts';
import { FLAG_KEYS } from '../tenants/index.ts';
import { checkedEmail } from '../users/index.ts';
import type { CodeRow } from './beta.tables.ts';
import { createBetaCodes, extendBeta, listBetaCodes, revokeBetaCode } from './codes.contract.ts';
import type { Codes, NamedCode } from './codes.service.ts';
import type { Extend } from './extend.service.ts';
import type { OperatorRoute } from './operator-route.ts';
import type { Redemptions } from './redemptions.service.ts';
import type { CodeState } from './states.contract.ts';

const timeOrNull = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : isoTime(milliseconds);

const shown = (row: CodeRow, state: CodeState) => ({
  code_id: row.code_id,
  hint: row.hint,
  state,
  uses: row.uses,
  max_uses: row.max_uses,
  plan: row.plan,
  days: row.days,
  credits: row.credits,
  features: JSON.parse(row.features),
  cohort: row.cohort,
  note: row.note,
  email: row.email,
  created_by: row.created_by,
  created_at: isoTime(row.created_at),
  expires_at: timeOrNull(row.expires_at),
  revoked_at: timeOrNull(row.revoked_at),
});

type Flags = NonNullable<BodyOf<typeof createBetaCodes>['features']>;

/** Two wire names mean the same flag. */
const overridesIn = (flags: Flags): FeatureOverrides =>
  Object.fromEntries(Object.entries(flags).map(([name, value]) => [FLAG_KEYS[name as keyof Flags], value]));

const newCodesIn = (body: BodyOf<typeof createBetaCodes>, createdBy: string) => ({
  maxUses: body.max_uses ?? 1,
  expiresAtMs: body.expires_at === undefined ? null : Date.parse(body.expires_at),
  plan: body.plan ?? 'team',
  days: body.days ?? 90,
  credits: body.credits ?? 0,
  features: overridesIn(body.features ?? {}),
  cohort: body.cohort ?? null,
  note: body.note ?? null,
  email: body.email === undefined ? null : checkedEmail(body.email),
  createdBy,
});

function namedIn({ code, code_id: codeId }: BodyOf<typeof revokeBetaCode>): NamedCode {
  if (code !== undefined && codeId === undefined) return { code };
  if (codeId !== undefined && code === undefined) return { codeId };
  throw invalid('Name one of code and code_id', { code: 'invalid_target' });
}

export interface CodeRoutesOptions {
  codes: Codes;
  redemptions: Redemptions;
  extend: Extend;
  operatorRoute: OperatorRoute;
}

export const codeRoutes = ({ codes, redemptions, extend, operatorRoute }: CodeRoutesOptions): Route[] => [
  operatorRoute(createBetaCodes, async (request) => {
    const input = newCodesIn(request.body, callerOf(request).userId);
    const made = await codes.make(request.body.count ?? 1, input);
    return { codes: made.map(({ code, row }) => ({ code, ...shown(row, 'active') })) };
  }),
  operatorRoute(listBetaCodes, async ({ query: { offset = 0, limit = 50, cohort, state } }) => {
    const page = await codes.page({ cohort, state }, { offset, limit });
    return { total: page.total, offset, limit, codes: page.codes.map((code) => shown(code, code.state)) };
  }),
  operatorRoute(revokeBetaCode, async ({ body }) => {
    const { code_id } = await codes.named(namedIn(body));
    const outcome = await redemptions.revoke(code_id, { withdraw: body.withdraw ?? false });
    return { code_id, revoked: outcome.isRevoked, withdrawn: outcome.withdrawn };
  }),
  operatorRoute(extendBeta, ({ body: { code, code_id: codeId, cohort, user_id: userId, days, until } }) =>
    extend({
      code,
      codeId,
      cohort,
      userId,
      days,
      ...(until !== undefined && { untilMs: Date.parse(until) }),
    }),
  ),
];
