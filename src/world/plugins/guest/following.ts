import type { createBackground } from '../../../kit/background.ts';
import type { Project } from '../../records/index.ts';

export interface FollowingOptions {
  background: ReturnType<typeof createBackground<Project>>;
  work(project: Project): Promise<void>;
  failed(error: unknown): void;
}

/** Starts the work for a project in the background; what is asked for meanwhile is done once more afterwards. */
export function createFollowing({ background, work, failed }: FollowingOptions): (project: Project) => void {
  const running = new Set<Project>();
  const askedAgain = new Set<Project>();

  async function run(project: Project): Promise<void> {
    running.add(project);
    try {
      do {
        askedAgain.delete(project);
        await work(project);
      } while (askedAgain.has(project));
    } catch (error) {
      failed(error);
    } finally {
      running.delete(project);
    }
  }

  return (project) => {
    askedAgain.add(project);
    if (!running.has(project)) background.add(project, run(project));
  };
}
