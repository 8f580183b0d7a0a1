import { Type } from 'typebox';
import { defineEvent } from '../../kit/event.ts';
import { Count } from '../../kit/schemas.ts';

export const syncCompleted = defineEvent(
  'sync_completed',
  {
    entities_synced: Count,
    errors: Count,
    duration_ms: Count,
    timestamp: Type.String({ format: 'date-time' }),
  },
  { $id: 'SyncCompletedEvent' },
);
