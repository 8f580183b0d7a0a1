import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { pageQuery, pageReply } from '../../kit/page.ts';
import { Text } from '../../kit/schemas.ts';
import { Asset, AssetParams, byEditors, exampleAsset, onAssets, params } from './assets.contract.ts';

const ItemParams = Type.Object({ item_id: Type.String({ maxLength: 100 }) });
const itemId = { item_id: '0d6c2b52-6f6d-4f0a-9a51-6a3f1f0c9f11' };

const Item = Type.Object({
  item_id: Text,
  id: Type.String({ description: "The asset's id" }),
  path: Text,
  size_bytes: Type.Integer(),
  deleted_at: Text,
  deleted_by: Text,
});
const item = {
  ...itemId,
  id: exampleAsset.id,
  path: exampleAsset.path,
  size_bytes: exampleAsset.size_bytes,
  deleted_at: '2026-03-02T10:15:00.000Z',
  deleted_by: 'b3f6a6de-0c0c-4f0e-8a3b-6b1f6a0c7d10',
};

export const deleteAsset = contract('DELETE /api/assets/{id}', {
  ...byEditors,
  name: 'deleteAsset',
  summary: 'Move an asset to the recycle bin',
  description: 'Its file and what was said about it stay there until they are restored or removed for good.',
  params: AssetParams,
  reply: Item,
  errors: [404, 409],
  example: { params, reply: item },
});

export const listRecycledAssets = contract('GET /api/assets/recycled', {
  ...onAssets,
  name: 'listRecycledAssets',
  summary: 'Assets in the recycle bin, newest first',
  query: Type.Object(pageQuery),
  reply: pageReply({ items: Type.Array(Item) }),
  example: { query: { limit: 50 }, reply: { total: 1, offset: 0, limit: 50, items: [item] } },
});

export const restoreRecycledAsset = contract('POST /api/assets/recycled/{item_id}/restore', {
  ...byEditors,
  name: 'restoreRecycledAsset',
  summary: 'Put a deleted asset back where it was',
  description: '409 when another file lies there by now.',
  params: ItemParams,
  reply: Asset,
  errors: [404, 409],
  example: { params: itemId, reply: exampleAsset },
});

export const purgeRecycledAsset = contract('DELETE /api/assets/recycled/{item_id}', {
  ...byEditors,
  name: 'purgeRecycledAsset',
  summary: 'Remove a deleted asset for good',
  params: ItemParams,
  reply: Type.Object({ purged: Type.Integer() }),
  errors: [404],
  example: { params: itemId, reply: { purged: 1 } },
});
