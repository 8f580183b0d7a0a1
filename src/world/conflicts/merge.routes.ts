import { ReadyJson, type Route, route } from '../../kit/route.ts';
import { askedModel } from '../models/index.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import { compareEntity } from './compare.contract.ts';
import type { Compare } from './compare.service.ts';
import { smartMerge } from './smart-merge.contract.ts';
import type { SmartMerge } from './smart-merge.service.ts';

export function mergeRoutes(options: { projects: Projects; compare: Compare; merge: SmartMerge }): Route[] {
  const { projects, compare, merge } = options;
  return [
    route(compareEntity, async (request) => {
      const project = await requestProject(projects, request);
      return new ReadyJson(await compare(project, request.params.type, request.body));
    }),
    route(smartMerge, async (request) => {
      const project = await requestProject(projects, request);
      return merge(project, request.params.type, request.body, askedModel(request));
    }),
  ];
}
