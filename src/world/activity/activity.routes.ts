import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import { listActivity } from './activity.contract.ts';
import type { Activity } from './activity.service.ts';

export const activityRoutes = ({
  projects,
  activity,
}: {
  projects: Projects;
  activity: Activity;
}): Route[] => [
  route(listActivity, async (request) => {
    const { cursor, limit = 50 } = request.query;
    return activity.page(await requestProject(projects, request), { cursor, limit });
  }),
];
