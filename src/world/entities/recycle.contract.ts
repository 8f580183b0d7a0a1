import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract } from '../../kit/contract.ts';
import { pageQuery, pageReply } from '../../kit/page.ts';
import { NullableText, named, Text } from '../../kit/schemas.ts';
import { Entity, exampleEntity } from './entities.contract.ts';

const ItemParams = Type.Object({ item_id: Text });

const RecycleItem = named('RecycleItem', {
  item_id: Text,
  entity_type: Text,
  entity_id: Text,
  name: Text,
  version: Type.Integer(),
  path: Text,
  deleted_at: Text,
  deleted_by: NullableText,
});

const example = {
  item_id: 'e1f6c1d2-52f3-4d4e-9a0e-0a2f5d3c7b10',
  entity_type: 'character',
  entity_id: 'mira_vale',
  name: 'Mira Vale',
  version: 3,
  path: 'Characters/mira_vale/CH_mira_vale.md',
  deleted_at: '2026-03-02T10:15:00.000Z',
  deleted_by: '0c6f2e0e-8f61-4b2f-9a44-2a7c3e7f9f11',
};
const params = { item_id: example.item_id };

const shared = { auth: 'bearer', project: true, tag: 'Recycle bin' } as const;

export const listRecycleBin = contract('GET /api/recycle-bin', {
  ...shared,
  name: 'listRecycleBin',
  summary: 'List deleted entities',
  query: Type.Object(pageQuery),
  reply: pageReply({ items: Type.Array(RecycleItem) }),
  example: { query: { limit: 10 }, reply: { total: 1, offset: 0, limit: 10, items: [example] } },
});

export const restoreRecycleItem = contract('POST /api/recycle-bin/{item_id}/restore', {
  ...shared,
  name: 'restoreRecycleItem',
  role: PERMISSIONS.delete_entities,
  summary: 'Bring a deleted entity back',
  description: 'Its folder returns to where it was. 409 when the id is in use again.',
  params: ItemParams,
  reply: Entity,
  errors: [402, 404, 409],
  example: { params, reply: exampleEntity },
});

export const purgeRecycleItem = contract('DELETE /api/recycle-bin/{item_id}', {
  ...shared,
  name: 'purgeRecycleItem',
  role: PERMISSIONS.delete_entities,
  summary: 'Remove a deleted entity for good',
  params: ItemParams,
  reply: Type.Object({ purged: Type.Integer() }),
  errors: [404],
  example: { params, reply: { purged: 1 } },
});

export const emptyRecycleBin = contract('DELETE /api/recycle-bin', {
  ...shared,
  name: 'emptyRecycleBin',
  role: PERMISSIONS.empty_recycle_bin,
  summary: 'Remove everything in the recycle bin for good',
  reply: Type.Object({ purged: Type.Integer() }),
  example: { reply: { purged: 4 } },
});
