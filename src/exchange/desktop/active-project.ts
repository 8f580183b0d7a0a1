import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import type { BorrowedProject, Projects } from '../../world/projects/index.ts';

/** Keeps the active project open, so that its folder stays watched. */
export function createActiveProject({ projects }: { projects: Pick<Projects, 'borrow'> }) {
  let held: BorrowedProject | null = null;

  function release(): void {
    held?.release();
    held = null;
  }

  return {
    /** Rejects, keeping the previous one, if the project cannot be opened. */
    async hold(projectId: string): Promise<void> {
      const next = await projects.borrow(LOCAL_TENANT, projectId);
      release();
      held = next;
    },
    release,
  };
}

export type ActiveProject = ReturnType<typeof createActiveProject>;
