import type { CreditRefusal } from '../access/credits.ts';
import { limitReached } from './errors.ts';

/** Where credits are bought: a route of the accounts service. */
const UPGRADE_URL = '/api/billing/checkout';

const REASONS = {
  credits: {
    code: 'insufficient_credits',
    advice: (available: number) => `${available} are left: wait for the next month, or buy some`,
  },
  user_quota: {
    code: 'user_quota_reached',
    advice: (available: number) => `your quota for this month leaves ${available}: an admin can raise it`,
  },
  team_quota: {
    code: 'team_quota_reached',
    advice: (available: number) =>
      `the team's quota for this month leaves ${available}: an admin can raise it`,
  },
} as const;

/** The 402 for work that costs more credits than there are, or than a quota allows. */
export function creditsRefused({ needed, available, ...refusal }: CreditRefusal) {
  const { reason = 'credits', balance = available } = refusal;
  const { code, advice } = REASONS[reason];
  return limitReached(`This takes up to ${needed} credits, and ${advice(available)}`, {
    code,
    body: { balance, needed, available, upgrade_url: UPGRADE_URL },
  });
}
