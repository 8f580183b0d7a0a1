import type { CreditRefusal } from '../access/credits.ts';
import { limitReached } from './errors.ts';

export const creditsRefused = ({ needed, available }: CreditRefusal) =>
  limitReached(
    `This takes up to ${needed} credits, and ${available} are left: wait for the next month, or buy some`,
    { code: 'insufficient_credits', body: { needed, available } },
  );
