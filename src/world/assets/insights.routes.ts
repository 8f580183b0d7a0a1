import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import type { FindDuplicates } from './duplicates.service.ts';
import {
  getAssetStats,
  listBrandAssets,
  listDuplicateAssets,
  listMissingAssets,
  testAssets,
} from './insights.contract.ts';
import type { Insights } from './insights.service.ts';
import type { FindMissing } from './missing.service.ts';
import type { SanitizeIds } from './sanitize.service.ts';
import { sanitizeAssetIds } from './scan.contract.ts';

export interface InsightRoutesOptions {
  projects: Projects;
  insights: Insights;
  findDuplicates: FindDuplicates;
  findMissing: FindMissing;
  sanitizeIds: SanitizeIds;
}

export function insightRoutes(options: InsightRoutesOptions): Route[] {
  const { projects, insights, findDuplicates, findMissing, sanitizeIds } = options;
  return [
    route(listBrandAssets, async (request) => {
      const { offset = 0, limit = 50 } = request.query;
      const project = await requestProject(projects, request);
      return insights.ofBrand(project, request.params.brand_id, { offset, limit });
    }),
    route(listDuplicateAssets, async (request) => {
      const { offset = 0, limit = 50, distance = 5 } = request.query;
      return findDuplicates(await requestProject(projects, request), { offset, limit, distance });
    }),
    route(listMissingAssets, async (request) => {
      const { cursor: after = null, limit = 50 } = request.query;
      const { missing, next } = await findMissing(await requestProject(projects, request), { after, limit });
      return { missing, next_cursor: next };
    }),
    route(getAssetStats, async (request) => insights.overview(await requestProject(projects, request))),
    route(testAssets, async (request) => insights.selfTest(await requestProject(projects, request))),
    route(sanitizeAssetIds, async (request) =>
      sanitizeIds(await requestProject(projects, request), { dryRun: request.body?.dry_run ?? false }),
    ),
  ];
}
