import { Type } from 'typebox';
import { defineEvent } from '../../kit/event.ts';
import { NullableText, Text } from '../../kit/schemas.ts';

export const entityUpdated = defineEvent(
  'entity_updated',
  {
    entity_type: Text,
    entity_id: Text,
    action: Type.Enum(['create', 'update', 'delete', 'restore']),
    updated_fields: Type.Array(Text, { description: 'Empty where they are not known, as for a file' }),
    updated_by: { ...NullableText, description: 'Who made the change; null for one made to a file' },
    version: Type.Optional(
      Type.Integer({
        description:
          'Of the new state, like `checksum`; both are missing for a deletion. A version that you know already means that only `updated_fields` changed, such as `is_valid`',
      }),
    ),
    checksum: Type.Optional(Text),
    timestamp: Type.String({ format: 'date-time' }),
  },
  { $id: 'EntityUpdatedEvent' },
);

/** One transaction changed more entities than are named. Clients must reload everything. */
export const entitiesChanged = defineEvent('entities_changed', {});
