import { Type } from 'typebox';
import { contract, optionalBody } from '../../kit/contract.ts';
import { Text } from '../../kit/schemas.ts';
import { byEditors, exampleAsset } from './assets.contract.ts';

const ScanReport = Type.Object({
  status: Type.Unsafe<'completed' | 'needs_confirmation'>({
    type: 'string',
    enum: ['completed', 'needs_confirmation'],
    description:
      'needs_confirmation: so much is gone from the folder that nothing was changed; a sync with force continues',
  }),
  duration_ms: Type.Number(),
  total: Type.Integer({ description: 'Assets there are now' }),
  added: Type.Integer(),
  replaced: Type.Integer({ description: 'Files with other bytes than before: new versions' }),
  moved: Type.Integer({ description: 'Known files at another path: they keep their ids' }),
  removed: Type.Integer(),
  skipped: Type.Array(Type.Object({ path: Text, reason: Text })),
  skipped_total: Type.Integer(),
  problems: Type.Array(Type.Object({ path: Text, line: Type.Integer(), reason: Text }), {
    description: 'What the `_assets.yaml` files say that could not be understood',
  }),
});

const report = {
  status: 'completed' as const,
  duration_ms: 214,
  total: 5_000,
  added: 12,
  replaced: 1,
  moved: 3,
  removed: 0,
  skipped: [],
  skipped_total: 0,
  problems: [],
};

export const scanAssets = contract('POST /api/assets/scan', {
  ...byEditors,
  name: 'scanAssets',
  summary: 'Compare all assets with the content folder',
  description:
    'Only files whose size or times changed are read. Pictures are measured afterwards, one by one.',
  body: optionalBody({}),
  reply: ScanReport,
  errors: [503],
  example: { body: {}, reply: report },
});

export const scanEntityAssets = contract('POST /api/assets/scan/{type}/{id}', {
  ...byEditors,
  name: 'scanEntityAssets',
  summary: "Compare one entity's assets with its folder",
  params: Type.Object({ type: Text, id: Text }),
  body: optionalBody({}),
  reply: ScanReport,
  errors: [404, 503],
  example: { params: { type: 'character', id: 'mira_vale' }, body: {}, reply: { ...report, total: 4 } },
});

export const sanitizeAssetIds = contract('POST /api/assets/sanitize-ids', {
  ...byEditors,
  name: 'sanitizeAssetIds',
  summary: 'Repair invalid and duplicate asset ids',
  description:
    'Ids stand in `_assets.yaml` files, where people may write anything. Each that is no id, or is that of another asset, becomes the nearest free one.',
  body: optionalBody({ dry_run: Type.Optional(Type.Boolean()) }),
  reply: Type.Object({
    checked: Type.Integer(),
    changed: Type.Array(Type.Object({ path: Text, old_id: Text, new_id: Text })),
    dry_run: Type.Boolean(),
  }),
  errors: [409],
  example: {
    body: { dry_run: true },
    reply: {
      checked: 40,
      changed: [{ path: exampleAsset.path, old_id: 'My Portrait!', new_id: 'my_portrait' }],
      dry_run: true,
    },
  },
});
