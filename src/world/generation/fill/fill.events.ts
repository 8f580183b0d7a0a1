import { Type } from 'typebox';
import { defineEvent } from '../../../kit/event.ts';
import { Count, Text } from '../../../kit/schemas.ts';

export const fillProgress = defineEvent('ai_fill_progress', {
  run_id: Text,
  entity_type: Text,
  status: Text,
  done: Count,
  total: Count,
  credits: Count,
  timestamp: Type.String({ format: 'date-time' }),
});
