import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { pageQuery, pageReply } from '../../kit/page.ts';
import { Count, closed, NullableInteger, NullableText, nullableText, oneOf } from '../../kit/schemas.ts';
import { Cohort, Credits, Days, Format, Id, managed, OPERATOR, Plan } from './shared.contract.ts';
import { WAITLIST_STATES } from './states.contract.ts';

const Entry = Type.Object({
  entry_id: Type.String(),
  email: Type.String(),
  name: NullableText,
  about: NullableText,
  state: oneOf(WAITLIST_STATES),
  position: NullableInteger,
  referrals: Count,
  referral_code: Type.String(),
  referred_by: nullableText('The entry of whoever recommended the programme'),
  cohort: NullableText,
  code_id: nullableText('The code that was mailed'),
  joined_at: Type.String(),
  confirmed_at: NullableText,
  promoted_at: NullableText,
});

const example = {
  entry_id: '8f14e45f-ceea-467f-a1b2-7d5c3a9e0b11',
  email: 'ben@example.com',
  name: 'Ben',
  about: null,
  state: 'waiting',
  position: 1,
  referrals: 2,
  referral_code: '7KQMX2RD',
  referred_by: null,
  cohort: null,
  code_id: null,
  joined_at: '2026-03-04T05:06:07.890Z',
  confirmed_at: '2026-03-04T06:06:07.890Z',
  promoted_at: null,
};

export const listBetaWaitlist = contract('GET /api/beta/waitlist', {
  ...managed,
  name: 'listBetaWaitlist',
  summary: 'The waitlist: who waits, in the order of their places, then all others',
  description: `${OPERATOR} With \`format=csv\` the reply is a table of up to 1,000 rows from \`offset\` on (\`limit\` does not count; it ends earlier after 8 MB), in which no text is run as a formula.`,
  query: Type.Object({ ...pageQuery, state: Type.Optional(oneOf(WAITLIST_STATES)), format: Format }),
  reply: pageReply({ entries: Type.Array(Entry) }),
  errors: [403],
  example: { query: { state: 'waiting' }, reply: { total: 1, offset: 0, limit: 50, entries: [example] } },
});

export const promoteBetaWaitlist = contract('POST /api/beta/waitlist/promote', {
  ...managed,
  name: 'promoteBetaWaitlist',
  summary: 'Mail codes to people on the waitlist',
  description: `${OPERATOR} Name one of \`ids\`, \`emails\` and \`count\` (the first ones). Each entry gets one code by one mail, however often this is sent; only addresses that were confirmed do.`,
  body: closed({
    ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 200 })),
    emails: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 320 }), { minItems: 1, maxItems: 200 }),
    ),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
    plan: Type.Optional(Plan),
    days: Type.Optional(Days),
    credits: Type.Optional(Credits),
    cohort: Type.Optional(Cohort),
  }),
  reply: Type.Object({
    promoted: Type.Array(
      Type.Object({ entry_id: Type.String(), email: Type.String(), code_id: Type.String() }),
    ),
    already: Type.Array(Type.String(), { description: 'Ids or addresses that were promoted before' }),
    unconfirmed: Type.Array(Type.String()),
    unknown: Type.Array(Type.String()),
  }),
  errors: [403],
  example: {
    body: { count: 1, days: 90, cohort: 'spring' },
    reply: {
      promoted: [
        {
          entry_id: example.entry_id,
          email: example.email,
          code_id: '0d5a3a3e-7a2f-4b0e-9a55-1f2c3d4e5f60',
        },
      ],
      already: [],
      unconfirmed: [],
      unknown: [],
    },
  },
});
