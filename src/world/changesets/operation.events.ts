import { Type } from 'typebox';
import { defineEvent } from '../../kit/event.ts';

const Text = Type.String();
const Count = Type.Integer({ minimum: 0 });

export const operationProgress = defineEvent('operation_progress', {
  operation_id: Text,
  kind: Text,
  label: Text,
  status: Text,
  done: Count,
  total: Count,
  timestamp: Type.String({ format: 'date-time' }),
});
