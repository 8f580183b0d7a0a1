import { callerOf } from '../../kit/principal.ts';
import { type Route, type RouteRequest, route } from '../../kit/route.ts';
import { requireAiCaller } from '../models/index.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import {
  acceptTagSuggestions,
  autoTagAssets,
  getTagRun,
  listTagSuggestions,
  rejectTagSuggestions,
  rescanAssetsWithAi,
} from './asset-tags.contract.ts';
import type { TagRuns } from './begin-run.service.ts';
import type { Decisions } from './decisions.service.ts';

export interface TagRoutesOptions {
  projects: Projects;
  runs: TagRuns;
  decisions: Decisions;
}

export function tagRoutes({ projects, runs, decisions }: TagRoutesOptions): Route[] {
  async function begin(request: RouteRequest<typeof autoTagAssets>, again: boolean) {
    const { asset_ids: assetIds, ai, provider, max_credits: maxCredits, dry_run } = request.body ?? {};
    const order = { caller: requireAiCaller(request), assetIds, ai, provider, maxCredits, again };
    const project = await requestProject(projects, request);
    return dry_run === true ? runs.preview(project, order) : runs.begin(project, order);
  }
  return [
    route(autoTagAssets, (request) => begin(request, false)),
    route(rescanAssetsWithAi, (request) => begin(request, true)),
    route(getTagRun, async (request) =>
      runs.progress(await requestProject(projects, request), request.params.run_id),
    ),
    route(listTagSuggestions, async (request) =>
      decisions.list(await requestProject(projects, request), request.params.id),
    ),
    ...(
      [
        [acceptTagSuggestions, 'accepted'],
        [rejectTagSuggestions, 'rejected'],
      ] as const
    ).map(([contract, status]) =>
      route(contract, async (request) => {
        const project = await requestProject(projects, request);
        const by = callerOf(request).userId;
        return decisions.decide(project, request.params.id, request.body?.tags, { status, by });
      }),
    ),
  ];
}
