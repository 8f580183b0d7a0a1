import { type Static, Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { Count, named, nullableText, Text } from '../../kit/schemas.ts';
import { reads } from './plugins.contract.ts';

/** Bytes of a record's JSON. */
export const LARGEST_RECORD = 64 * 1024;

const RecordType = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' });
const ofType = Type.Object({ pluginId: Type.String({ maxLength: 64 }), record_type: RecordType });
const ofRecord = Type.Object({ ...ofType.properties, record_id: Type.String({ format: 'uuid' }) });

const Data = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'Any JSON object of up to 64 kB. `entity_type` and `entity_id` in it tie the record to that entity, also after a rename',
});

const PluginRecord = named('PluginRecord', {
  record_id: Text,
  record_type: Text,
  entity_type: nullableText('Of the entity that the record is tied to'),
  entity_id: nullableText('Its present id'),
  data: Data,
  created_at: Text,
  created_by: Text,
  updated_at: Text,
  updated_by: Text,
});
export type PluginRecordReply = Static<typeof PluginRecord>;

const exampleData = { entity_type: 'character', entity_id: 'mira_vale', words: 1_200 };
const record: PluginRecordReply = {
  record_id: '0f5a5c1e-6a4e-4b57-9c39-0f6f7a6c1a11',
  record_type: 'counts',
  entity_type: 'character',
  entity_id: 'mira_vale',
  data: exampleData,
  created_at: '2026-03-02T10:15:00.000Z',
  created_by: '0c6f2e0e-8f61-4b2f-9a44-2a7c3e7f9f11',
  updated_at: '2026-03-02T10:15:00.000Z',
  updated_by: '0c6f2e0e-8f61-4b2f-9a44-2a7c3e7f9f11',
};
const params = { pluginId: 'word-count', record_type: 'counts' };
const recordParams = { ...params, record_id: record.record_id };
const writes = { ...reads, role: PERMISSIONS.edit_entities } as const;

export const createPluginRecord = contract('POST /api/plugins/{pluginId}/data/{record_type}', {
  ...writes,
  name: 'createPluginRecord',
  summary: 'Store a record of a plugin',
  params: ofType,
  body: Data,
  status: 201,
  reply: PluginRecord,
  errors: [404, 409, 413],
  example: { params, body: exampleData, reply: record },
});

export const listPluginRecords = contract('GET /api/plugins/{pluginId}/data/{record_type}', {
  ...reads,
  name: 'listPluginRecords',
  summary: 'List records of a plugin, newest first',
  description: '`filter[field]` compares a field of the data as text.',
  params: ofType,
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
    entity_type: Type.Optional(Type.String({ maxLength: 200 })),
    entity_id: Type.Optional(Type.String({ maxLength: 500 })),
  }),
  otherQuery: /^filter\[[A-Za-z_][A-Za-z0-9_]{0,63}\]$/,
  reply: Type.Object({ records: Type.Array(PluginRecord), total: Count, limit: Count, offset: Count }),
  errors: [404],
  example: { params, reply: { records: [record], total: 1, limit: 50, offset: 0 } },
});

export const getPluginRecord = contract('GET /api/plugins/{pluginId}/data/{record_type}/{record_id}', {
  ...reads,
  name: 'getPluginRecord',
  summary: 'A record of a plugin',
  params: ofRecord,
  reply: PluginRecord,
  errors: [404],
  example: { params: recordParams, reply: record },
});

export const putPluginRecord = contract('PUT /api/plugins/{pluginId}/data/{record_type}/{record_id}', {
  ...writes,
  name: 'putPluginRecord',
  summary: 'Replace a record of a plugin, or store it under an id of the caller’s',
  params: ofRecord,
  body: Data,
  reply: PluginRecord,
  errors: [404, 409, 413],
  example: { params: recordParams, body: exampleData, reply: record },
});

export const deletePluginRecord = contract('DELETE /api/plugins/{pluginId}/data/{record_type}/{record_id}', {
  ...writes,
  name: 'deletePluginRecord',
  summary: 'Delete a record of a plugin',
  description: 'It is no longer listed. Its row is removed after 30 days.',
  params: ofRecord,
  reply: Type.Object({ message: Text }),
  errors: [404],
  example: { params: recordParams, reply: { message: 'The record was deleted' } },
});
