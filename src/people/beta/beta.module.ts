import type { Base } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { createRegularWork } from '../../kit/regular-work.ts';
import type { CountAttempt } from '../auth/index.ts';
import type { CreditBooks } from '../credits/index.ts';
import type { Letters } from '../letters/index.ts';
import type { PlanGrants } from '../tenants/index.ts';
import { betaMigrations } from './beta.tables.ts';
import { codeRoutes } from './codes.routes.ts';
import { createCodes } from './codes.service.ts';
import { createExtend } from './extend.service.ts';
import { feedbackRoutes } from './feedback.routes.ts';
import { createFeedback } from './feedback.service.ts';
import { createOperatorRoute, type IsOperator } from './operator-route.ts';
import { createPromote } from './promote.service.ts';
import { redeemRoutes } from './redeem.routes.ts';
import { createRedemptions } from './redemptions.service.ts';
import { betaStats } from './stats.contract.ts';
import { createStats } from './stats.service.ts';
import { waitlistRoutes } from './waitlist.routes.ts';
import { createWaitlist } from './waitlist.service.ts';

export interface BetaContext extends Pick<Base, 'database' | 'clock' | 'log'> {
  planGrants: PlanGrants;
  books: CreditBooks;
  letters: Letters;
  /** The address for browsers, used for links in mail. */
  publicUrl: string;
  /** True if the tenant runs the installation: its admins alone manage the programme. */
  isOperator: IsOperator;
  countAttempt: CountAttempt;
  /** Null if the account was deleted. */
  mailOf(userId: string): Promise<string | null>;
  /** Milliseconds of the last sign-in or refresh of each of these users. */
  lastActiveOf(userIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

const WAITLIST_EVERY_MS = 3_000;

/** The beta programme: codes, access for a time, feedback and a waitlist. */
export const betaModule = defineModule({
  name: 'beta',
  tags: {
    'Beta programme': 'Codes that give a plan for a time, feedback of those who use them, and a waitlist.',
  },
  tables: betaMigrations,
  create(context: BetaContext) {
    const { database, log, isOperator, countAttempt } = context;
    const operatorRoute = createOperatorRoute(isOperator);
    const codes = createCodes(context);
    const redemptions = createRedemptions(context);
    const feedback = createFeedback({ ...context, redemptions });
    const waitlist = createWaitlist(context);
    const stats = createStats(context);
    const { soon, start, stop } = createRegularWork({
      what: 'the waitlist',
      everyMs: WAITLIST_EVERY_MS,
      log: log.child('beta'),
      work: waitlist.answerAll,
    });
    return {
      service: {
        /** Removes what a tenant that is being deleted redeemed and wrote. */
        endTenant: (tenantId: string): Promise<void> =>
          database.system.write(async (db) => {
            await redemptions.removeAll(db, tenantId);
            await feedback.removeAll(db, tenantId);
          }),
      },
      routes: [
        ...codeRoutes({
          codes,
          redemptions,
          extend: createExtend({ ...context, codes, redemptions }),
          operatorRoute,
        }),
        ...redeemRoutes({ codes, redemptions, countAttempt }),
        operatorRoute(betaStats, () => stats()),
        ...feedbackRoutes(feedback, operatorRoute),
        ...waitlistRoutes({ waitlist, soon, promote: createPromote(context), operatorRoute, countAttempt }),
      ],
      start,
      stop,
    };
  },
});
