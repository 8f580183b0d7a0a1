import { Type } from 'typebox';
import { defineEvent } from '../../kit/event.ts';
import { Count, Text } from '../../kit/schemas.ts';

export const operationProgress = defineEvent('operation_progress', {
  operation_id: Text,
  kind: Text,
  label: Text,
  status: Text,
  done: Count,
  total: Count,
  timestamp: Type.String({ format: 'date-time' }),
});
