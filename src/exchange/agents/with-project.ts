import type { RouteCaller } from '../../kit/http/route-calls.ts';
import type { Projects } from '../../world/projects/index.ts';
import type { Project } from '../../world/records/index.ts';

/** Works on the caller's project, which is kept open meanwhile. 404 for a missing one, unless it is for a first change. */
export type WithProject = <Result>(
  caller: Pick<RouteCaller, 'tenantId' | 'projectId'>,
  work: (project: Project) => Promise<Result>,
  options?: { create: boolean },
) => Promise<Result>;

export const createWithProject =
  (projects: Projects): WithProject =>
  async ({ tenantId, projectId }, work, { create } = { create: false }) => {
    const { project, release } = await projects.borrow(tenantId, projectId, {
      beginning: 'starter',
      create,
    });
    try {
      return await work(project);
    } finally {
      release();
    }
  };
