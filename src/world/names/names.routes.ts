import { ReadyJson, type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import { listNames } from './names.contract.ts';
import type { Names } from './names.service.ts';

export const namesRoutes = ({ projects, names }: { projects: Projects; names: Names }): Route[] => [
  route(listNames, async (request) => {
    const project = await requestProject(projects, request);
    return new ReadyJson(await names.json(project, request.query.cursor));
  }),
];
