import { type Static, Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { Count, nullableText, Text } from '../../kit/schemas.ts';
import { reads } from './plugins.contract.ts';

const Milliseconds = Type.Number({ minimum: 0, description: 'With what it waited for its turn' });

const Usage = Type.Object({
  file_bytes: Count,
  records: { ...Count, description: 'Deleted ones too, as long as they are kept' },
  record_bytes: Count,
  values: { ...Count, description: 'Of the guest’s own store' },
  value_bytes: Count,
  calls: Type.Array(
    Type.Object({
      call: Type.String({ description: 'The hook that was called, or `handle-request` for a route' }),
      calls: Count,
      failed: Count,
      mean_ms: Milliseconds,
      slowest_ms: Milliseconds,
      last_at: Text,
      last_failed_at: nullableText('Null where none failed'),
    }),
  ),
});
export type PluginUsageReply = Static<typeof Usage>;

export const getPluginUsage = contract('GET /api/plugins/{id}/usage', {
  ...reads,
  role: PERMISSIONS.manage_settings,
  name: 'getPluginUsage',
  summary: 'How often a plugin’s guest ran, and how much room the plugin takes',
  description:
    'Calls are counted over all versions. In a cloud the last seconds of other processes may be missing.',
  params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
  reply: Usage,
  errors: [404],
  example: {
    params: { id: 'word-count' },
    reply: {
      file_bytes: 20_480,
      records: 12,
      record_bytes: 1_800,
      values: 2,
      value_bytes: 64,
      calls: [
        {
          call: 'on-entity-save',
          calls: 1_204,
          failed: 1,
          mean_ms: 1.8,
          slowest_ms: 26.42,
          last_at: '2026-03-02T10:15:00.000Z',
          last_failed_at: '2026-02-11T08:00:00.000Z',
        },
      ],
    },
  },
});
