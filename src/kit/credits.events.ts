import { Type } from 'typebox';
import { defineEvent } from './event.ts';
import { Count } from './schemas.ts';

/**
 * A hint to look at the balance, told once at most: it is lost if the process ends after the booking, and nothing may be added up from it.
 * The ledger has every expense.
 */
export const creditsDeducted = defineEvent('brainbits_deducted', {
  amount: Count,
  remaining: Type.Integer({ minimum: -1, description: '-1 where credits are not limited' }),
  operation: Type.String(),
  timestamp: Type.String({ format: 'date-time' }),
});
