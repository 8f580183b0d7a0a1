import { Type } from 'typebox';
import { defineEvent } from '../../kit/event.ts';
import { NullableText, Text } from '../../kit/schemas.ts';

export const presenceUpdate = defineEvent('presence_update', {
  user_id: Text,
  user_name: Text,
  status: Type.Enum(['online', 'offline', 'editing', 'idle']),
  entity_type: NullableText,
  entity_id: NullableText,
  timestamp: Type.String({ format: 'date-time' }),
});
