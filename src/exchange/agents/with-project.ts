import type { RouteCaller } from '../../kit/http/route-calls.ts';
import type { Projects } from '../../world/projects/index.ts';
import type { Project } from '../../world/records/index.ts';

/** Works on the caller's project, which is kept open meanwhile. */
export type WithProject = <Result>(
  caller: Pick<RouteCaller, 'tenantId' | 'projectId'>,
  work: (project: Project) => Promise<Result>,
) => Promise<Result>;

export const createWithProject =
  (projects: Projects): WithProject =>
  async ({ tenantId, projectId }, work) => {
    const { project, release } = await projects.borrow(tenantId, projectId, {
      beginning: 'starter',
      create: true,
    });
    try {
      return await work(project);
    } finally {
      release();
    }
  };
