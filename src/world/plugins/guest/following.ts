import { setTimeout as sleep } from 'node:timers/promises';
import type { createBackground } from '../../../kit/background.ts';
import type { Project } from '../../records/index.ts';

export interface FollowingOptions {
  background: ReturnType<typeof createBackground<Project>>;
  work(project: Project): Promise<void>;
  failed(error: unknown): void;
  /** Aborts when the service stops. */
  signal: AbortSignal;
}

/** Milliseconds before the work begins: who saves often is followed once for several saves. */
const GATHER_MS = 100;

/** Starts the work for a project in the background; what is asked for meanwhile is done once more afterwards. */
export function createFollowing({
  background,
  work,
  failed,
  signal,
}: FollowingOptions): (project: Project) => void {
  const running = new Set<Project>();
  const askedAgain = new Set<Project>();

  async function run(project: Project): Promise<void> {
    running.add(project);
    try {
      do {
        await sleep(GATHER_MS, undefined, { signal, ref: false }).catch(() => undefined);
        askedAgain.delete(project);
        if (!signal.aborted) await work(project);
      } while (askedAgain.has(project) && !signal.aborted);
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
