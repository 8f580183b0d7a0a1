import { Type } from 'typebox';
import { defineEvent } from '../../kit/event.ts';
import { NullableText } from '../../kit/nullable.ts';

const Text = Type.String();

export const presenceUpdate = defineEvent('presence_update', {
  user_id: Text,
  user_name: Text,
  status: Type.Enum(['online', 'offline', 'editing', 'idle']),
  entity_type: NullableText,
  entity_id: NullableText,
  timestamp: Type.String({ format: 'date-time' }),
});
