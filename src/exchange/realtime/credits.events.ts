import { Type } from 'typebox';
import { defineEvent } from '../../kit/event.ts';
import { Count } from '../../kit/schemas.ts';

export const creditsDeducted = defineEvent('brainbits_deducted', {
  amount: Count,
  remaining: Count,
  operation: Type.String(),
  timestamp: Type.String({ format: 'date-time' }),
});
