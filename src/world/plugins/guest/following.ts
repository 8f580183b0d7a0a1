import type { createBackground } from '../../../kit/background.ts';
import type { Project } from '../../records/index.ts';

export interface FollowingOptions {
  background: ReturnType<typeof createBackground<Project>>;
  /** False if something is left to be done later. Ends soon after the signal aborts. */
  work(project: Project, signal: AbortSignal): Promise<boolean>;
  failed(error: unknown): void;
  /** By default 5 s. */
  retryMs?: number;
}

const RETRY_MS = 5_000;

interface Pass {
  ending: AbortController;
  isRunning: boolean;
  isAskedAgain: boolean;
  retry: NodeJS.Timeout | undefined;
}

/** Does the work for a project in the background; what is asked for meanwhile, or left, is done once more afterwards. */
export function createFollowing({ background, work, failed, retryMs = RETRY_MS }: FollowingOptions) {
  const passes = new Map<Project, Pass>();
  const closed = new WeakSet<Project>();
  let isStopped = false;

  function passOf(project: Project): Pass {
    const known = passes.get(project);
    if (known) return known;
    const made = { ending: new AbortController(), isRunning: false, isAskedAgain: false, retry: undefined };
    passes.set(project, made);
    return made;
  }

  async function run(project: Project, pass: Pass): Promise<void> {
    pass.isRunning = true;
    let isDone = true;
    do {
      pass.isAskedAgain = false;
      isDone = await work(project, pass.ending.signal).catch((error: unknown) => {
        failed(error);
        return false;
      });
    } while (pass.isAskedAgain && !pass.ending.signal.aborted);
    pass.isRunning = false;
    if (isDone || pass.ending.signal.aborted) return;
    pass.retry = setTimeout(follow, retryMs, project).unref();
  }

  function follow(project: Project): void {
    if (isStopped || closed.has(project)) return;
    const pass = passOf(project);
    clearTimeout(pass.retry);
    pass.isAskedAgain = true;
    if (!pass.isRunning) background.add(project, run(project, pass));
  }

  function end(project: Project): void {
    const pass = passes.get(project);
    closed.add(project);
    passes.delete(project);
    clearTimeout(pass?.retry);
    pass?.ending.abort();
  }

  return {
    follow,
    /** There may be an hour of work left, which goes on when the project is opened again. */
    close(project: Project): Promise<void> {
      end(project);
      return background.idle(project);
    },
    stop(): Promise<void> {
      isStopped = true;
      for (const project of passes.keys()) end(project);
      return background.idle();
    },
  };
}
