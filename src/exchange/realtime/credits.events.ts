import { Type } from 'typebox';
import { defineEvent } from '../../kit/event.ts';

const Count = Type.Integer({ minimum: 0 });

export const creditsDeducted = defineEvent('brainbits_deducted', {
  amount: Count,
  remaining: Count,
  operation: Type.String(),
  timestamp: Type.String({ format: 'date-time' }),
});
