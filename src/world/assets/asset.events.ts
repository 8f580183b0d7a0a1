import { Type } from 'typebox';
import { defineEvent } from '../../kit/event.ts';
import { NullableText, Text } from '../../kit/schemas.ts';

export const assetProcessed = defineEvent(
  'asset_processed',
  {
    asset_id: Text,
    entity_type: NullableText,
    entity_id: NullableText,
    processing_type: Text,
    status: Text,
    timestamp: Type.String({ format: 'date-time' }),
  },
  { $id: 'AssetProcessedEvent' },
);
