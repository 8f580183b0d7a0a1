import { Type } from 'typebox';
import { defineEvent } from './event.ts';
import { Count } from './schemas.ts';

export const creditsDeducted = defineEvent('brainbits_deducted', {
  amount: Count,
  remaining: Type.Integer({ minimum: -1, description: '-1 where credits are not limited' }),
  operation: Type.String(),
  timestamp: Type.String({ format: 'date-time' }),
});
