import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { Count, nullableText } from '../../kit/schemas.ts';
import { managed, OPERATOR } from './shared.contract.ts';
import { FEEDBACK_STATUSES, WAITLIST_STATES } from './states.contract.ts';

const countsOf = <Name extends string>(names: readonly Name[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Count])) as Record<Name, typeof Count>);

export const betaStats = contract('GET /api/beta/stats', {
  ...managed,
  name: 'betaStats',
  summary: 'How the beta programme is going, for each cohort',
  description: `${OPERATOR} \`active\` counts people who redeemed a code and have used a session since.`,
  reply: Type.Object({
    cohorts: Type.Array(
      Type.Object({
        cohort: nullableText('Null for codes and feedback without one'),
        codes: Count,
        redeemed: Type.Integer({ minimum: 0, description: 'Uses of the codes' }),
        active_7_days: Count,
        active_30_days: Count,
        feedback: countsOf(FEEDBACK_STATUSES),
        promoted: Type.Integer({ minimum: 0, description: 'From the waitlist' }),
      }),
    ),
    waitlist: countsOf(WAITLIST_STATES),
  }),
  errors: [403],
  example: {
    reply: {
      cohorts: [
        {
          cohort: 'spring',
          codes: 50,
          redeemed: 41,
          active_7_days: 30,
          active_30_days: 39,
          feedback: { open: 4, reviewed: 10, planned: 3, resolved: 12, closed: 1 },
          promoted: 50,
        },
      ],
      waitlist: { unconfirmed: 7, waiting: 120, promoted: 50 },
    },
  },
});
