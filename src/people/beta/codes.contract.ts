import { Type } from 'typebox';
import { PLAN_NAMES } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { pageQuery, pageReply } from '../../kit/page.ts';
import { Count, closed, NullableText, nullableText, oneOf } from '../../kit/schemas.ts';
import {
  Code,
  Cohort,
  Credits,
  Days,
  Flags,
  GivenFlags,
  Id,
  managed,
  OPERATOR,
  Plan,
  Time,
} from './shared.contract.ts';
import { CODE_STATES } from './states.contract.ts';

const code = {
  code_id: Type.String(),
  hint: Type.String({ description: 'The last group of the code' }),
  state: oneOf(CODE_STATES),
  uses: Count,
  max_uses: Count,
  plan: Type.Enum([...PLAN_NAMES]),
  days: Count,
  credits: Count,
  features: GivenFlags,
  cohort: NullableText,
  note: NullableText,
  email: nullableText('Where it was mailed'),
  created_by: NullableText,
  created_at: Type.String(),
  expires_at: NullableText,
  revoked_at: NullableText,
};
export const exampleCode = '7KQM-X2RD-94HV-TBYC-E3WN';
const exampleCodeId = '0d5a3a3e-7a2f-4b0e-9a55-1f2c3d4e5f60';
const example = {
  code_id: exampleCodeId,
  hint: 'E3WN',
  state: 'active',
  uses: 0,
  max_uses: 1,
  plan: 'team',
  days: 90,
  credits: 500,
  features: {},
  cohort: 'spring',
  note: null,
  email: null,
  created_by: '5d1c9d56-2b1e-4d0e-8c6e-0c7a0e4b9f11',
  created_at: '2026-03-04T05:06:07.890Z',
  expires_at: null,
  revoked_at: null,
};

export const createBetaCodes = contract('POST /api/beta/invite', {
  ...managed,
  name: 'createBetaCodes',
  summary: 'Make codes for the beta programme',
  description: `${OPERATOR} The codes are shown only now. \`days\` is how long the access lasts after a code is redeemed; the credits last as long. With \`email\`, the one code is also mailed there; anybody who has it can redeem it.`,
  body: closed({
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 1 })),
    max_uses: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, default: 1 })),
    expires_at: Type.Optional(Time),
    plan: Type.Optional(Plan),
    days: Type.Optional(Days),
    credits: Type.Optional(Credits),
    features: Type.Optional(Flags),
    cohort: Type.Optional(Cohort),
    note: Type.Optional(Type.String({ maxLength: 1_000 })),
    email: Type.Optional(Type.String({ minLength: 1, maxLength: 320 })),
  }),
  reply: Type.Object({ codes: Type.Array(Type.Object({ code: Type.String(), ...code })) }),
  status: 201,
  errors: [403],
  example: {
    body: { count: 1, plan: 'team', days: 90, credits: 500, cohort: 'spring' },
    reply: { codes: [{ code: exampleCode, ...example }] },
  },
});

export const listBetaCodes = contract('GET /api/beta/invite', {
  ...managed,
  name: 'listBetaCodes',
  summary: 'Codes of the beta programme, the newest first',
  description: OPERATOR,
  query: Type.Object({
    ...pageQuery,
    cohort: Type.Optional(Cohort),
    state: Type.Optional(oneOf(CODE_STATES)),
  }),
  reply: pageReply({ codes: Type.Array(Type.Object(code)) }),
  errors: [403],
  example: { query: { state: 'active' }, reply: { total: 1, offset: 0, limit: 50, codes: [example] } },
});

const named = {
  code_id: Type.Optional(Id),
  code: Type.Optional(Code),
};

export const revokeBetaCode = contract('POST /api/beta/invite/revoke', {
  ...managed,
  name: 'revokeBetaCode',
  summary: 'Let nobody use a code any more',
  description: `${OPERATOR} Name \`code\` or \`code_id\`. With \`withdraw\`, those who redeemed it lose its access and its credits at once, also if it was revoked before.`,
  body: closed({ ...named, withdraw: Type.Optional(Type.Boolean({ default: false })) }),
  reply: Type.Object({
    code_id: Type.String(),
    revoked: Type.Boolean({ description: 'False if it was revoked before' }),
    withdrawn: Type.Integer({ description: 'Tenants that lost its access' }),
  }),
  errors: [403, 404],
  example: {
    body: { code_id: example.code_id, withdraw: true },
    reply: { code_id: example.code_id, revoked: true, withdrawn: 1 },
  },
});

export const extendBeta = contract('POST /api/beta/extend', {
  ...managed,
  name: 'extendBeta',
  summary: 'Let codes, and the access they gave, end later',
  description: `${OPERATOR} Name one of \`code\`, \`code_id\`, \`cohort\` and \`user_id\` (who redeemed), and one of \`days\` and \`until\`. Days are added to each end, or to now where it has passed; sent twice, they are added twice. \`until\` moves whatever would end sooner. Codes without an end stay as they are.`,
  body: closed({
    ...named,
    cohort: Type.Optional(Cohort),
    user_id: Type.Optional(Id),
    days: Type.Optional(Days),
    until: Type.Optional(Time),
  }),
  reply: Type.Object({ codes: Count, redemptions: Count }),
  errors: [403, 404],
  example: { body: { cohort: 'spring', days: 30 }, reply: { codes: 10, redemptions: 7 } },
});
