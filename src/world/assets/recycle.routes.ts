import { callerOf } from '../../kit/principal.ts';
import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import type { RecycledAssetRow } from './assets.tables.ts';
import {
  deleteAsset,
  listRecycledAssets,
  purgeRecycledAsset,
  restoreRecycledAsset,
} from './recycle.contract.ts';
import type { AssetRecycleBin } from './recycle.service.ts';

const present = ({ item_id, asset_id, path, size_bytes, deleted_at, deleted_by }: RecycledAssetRow) => ({
  ...{ item_id, id: asset_id, path, size_bytes, deleted_at, deleted_by },
});

export function assetRecycleRoutes({ projects, bin }: { projects: Projects; bin: AssetRecycleBin }): Route[] {
  return [
    route(deleteAsset, async (request) => {
      const project = await requestProject(projects, request);
      return present(await bin.remove(project, request.params.id, callerOf(request).userId));
    }),
    route(listRecycledAssets, async (request) => {
      const { offset = 0, limit = 50 } = request.query;
      const { total, rows } = await bin.list(await requestProject(projects, request), { offset, limit });
      return { total, offset, limit, items: rows.map(present) };
    }),
    route(restoreRecycledAsset, async (request) =>
      bin.restore(await requestProject(projects, request), request.params.item_id),
    ),
    route(purgeRecycledAsset, async (request) => {
      await bin.purge(await requestProject(projects, request), request.params.item_id);
      return { purged: 1 };
    }),
  ];
}
