import { isoTime } from '../../kit/clock.ts';
import type { BodyOf } from '../../kit/contract.ts';
import { HttpError, invalid } from '../../kit/errors.ts';
import { asksForPage } from '../../kit/http/asks-for-page.ts';
import { csvReply } from '../../kit/http/csv.ts';
import { callerOf } from '../../kit/principal.ts';
import { type Route, type RouteRequest, route } from '../../kit/route.ts';
import type { CountAttempt } from '../auth/index.ts';
import { checkedEmail, normalisedEmail } from '../users/index.ts';
import type { WaitlistRow } from './beta.tables.ts';
import type { OperatorRoute } from './operator-route.ts';
import type { Chosen, Promote } from './promote.service.ts';
import { confirmWaitlistPlace, joinBetaWaitlist, showWaitlistPlace } from './waitlist.contract.ts';
import { noPlacePage, placePage } from './waitlist.page.ts';
import type { Waitlist, WaitlistPlace } from './waitlist.service.ts';
import { listBetaWaitlist, promoteBetaWaitlist } from './waitlist-management.contract.ts';

const CSV_ROWS = 1_000;
const COLUMNS = [
  ...['position', 'email', 'name', 'state', 'referrals', 'joined_at', 'confirmed_at', 'promoted_at'],
  ...['cohort', 'about', 'referral_code', 'referred_by', 'entry_id', 'code_id'],
];

const timeOrNull = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : isoTime(milliseconds);

const shownEntry = ({ row, position }: { row: WaitlistRow; position: number | null }) => ({
  entry_id: row.entry_id,
  email: row.email,
  name: row.name,
  about: row.about,
  state: row.state,
  position,
  referrals: row.referrals,
  referral_code: row.referral_code,
  referred_by: row.referred_by,
  cohort: row.cohort,
  code_id: row.code_id,
  joined_at: isoTime(row.joined_at),
  confirmed_at: timeOrNull(row.confirmed_at),
  promoted_at: timeOrNull(row.promoted_at),
});

const shownPlace = ({ state, position, referralCode, referrals }: WaitlistPlace) => ({
  status: state,
  position,
  referral_code: referralCode,
  referrals,
});

/** The place as JSON, or as a page for a browser. */
async function answered(headers: RouteRequest['headers'], find: () => Promise<WaitlistPlace>) {
  if (!asksForPage(headers)) return shownPlace(await find());
  try {
    return placePage(await find());
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 404) throw error;
    return noPlacePage(error.message);
  }
}

function chosenIn({ ids, emails, count }: BodyOf<typeof promoteBetaWaitlist>): Chosen {
  const chosen: Chosen[] = [];
  if (ids !== undefined) chosen.push({ ids });
  if (emails !== undefined) chosen.push({ emails: emails.map(normalisedEmail) });
  if (count !== undefined) chosen.push({ count });
  const [only] = chosen;
  if (only !== undefined && chosen.length === 1) return only;
  throw invalid('Name one of ids, emails and count', { code: 'invalid_choice' });
}

/** The same for every address. */
const ON_ITS_WAY = { message: 'Thank you! A mail is on its way: open its link to confirm your address' };

export interface WaitlistRoutesOptions {
  waitlist: Waitlist;
  /** Asks for the mails to be made, after the reply. */
  soon(): void;
  promote: Promote;
  operatorRoute: OperatorRoute;
  countAttempt: CountAttempt;
}

export function waitlistRoutes(options: WaitlistRoutesOptions): Route[] {
  const { waitlist, soon, promote, operatorRoute, countAttempt } = options;
  return [
    route(joinBetaWaitlist, async ({ body }) => {
      const { name = null, about = null, referral_code: referralCode = null } = body;
      const email = checkedEmail(body.email);
      await countAttempt('mail', `beta waitlist ${email}`);
      await waitlist.join({ email, name, about, referralCode });
      soon();
      return ON_ITS_WAY;
    }),
    route(showWaitlistPlace, ({ params, headers }) => answered(headers, () => waitlist.place(params.token))),
    route(confirmWaitlistPlace, ({ params, headers }) =>
      answered(headers, () => waitlist.confirm(params.token)),
    ),
    operatorRoute(listBetaWaitlist, async ({ query: { offset = 0, limit = 50, state, format } }) => {
      const isCsv = format === 'csv';
      const page = await waitlist.page(state, { offset, limit: isCsv ? CSV_ROWS : limit });
      const entries = page.entries.map(shownEntry);
      return isCsv
        ? csvReply('beta-waitlist', COLUMNS, entries)
        : { total: page.total, offset, limit, entries };
    }),
    operatorRoute(promoteBetaWaitlist, async (request) => {
      const { plan = 'team', days = 90, credits = 0, cohort = null } = request.body;
      const promotedBy = callerOf(request).userId;
      return promote(chosenIn(request.body), { plan, days, credits, cohort, promotedBy });
    }),
  ];
}
