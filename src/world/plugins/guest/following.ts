import type { createBackground } from '../../../kit/background.ts';

export interface FollowingOptions<Owner extends object> {
  background: ReturnType<typeof createBackground<Owner>>;
  /** False if something is left to be done later. Ends soon after the signal aborts. */
  work(owner: Owner, signal: AbortSignal): Promise<boolean>;
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
export function createFollowing<Owner extends object>({
  background,
  work,
  failed,
  retryMs = RETRY_MS,
}: FollowingOptions<Owner>) {
  const passes = new Map<Owner, Pass>();
  const closed = new WeakSet<Owner>();
  let isStopped = false;

  function passOf(owner: Owner): Pass {
    const known = passes.get(owner);
    if (known) return known;
    const made = { ending: new AbortController(), isRunning: false, isAskedAgain: false, retry: undefined };
    passes.set(owner, made);
    return made;
  }

  async function run(owner: Owner, pass: Pass): Promise<void> {
    pass.isRunning = true;
    let isDone = true;
    do {
      pass.isAskedAgain = false;
      isDone = await work(owner, pass.ending.signal).catch((error: unknown) => {
        failed(error);
        return false;
      });
    } while (pass.isAskedAgain && !pass.ending.signal.aborted);
    pass.isRunning = false;
    if (isDone || pass.ending.signal.aborted) return;
    pass.retry = setTimeout(follow, retryMs, owner).unref();
  }

  function follow(owner: Owner): void {
    if (isStopped || closed.has(owner)) return;
    const pass = passOf(owner);
    clearTimeout(pass.retry);
    pass.isAskedAgain = true;
    if (!pass.isRunning) background.add(owner, run(owner, pass));
  }

  function end(owner: Owner): void {
    const pass = passes.get(owner);
    closed.add(owner);
    passes.delete(owner);
    clearTimeout(pass?.retry);
    pass?.ending.abort();
  }

  /** With what its work began by the way. */
  async function close(owner: Owner): Promise<void> {
    end(owner);
    while (background.isBusy(owner)) await background.idle(owner);
  }

  return {
    follow,
    /** There may be an hour of work left, which goes on when the project is opened again. */
    close,
    async stop(): Promise<void> {
      isStopped = true;
      await Promise.all([...passes.keys()].map(close));
      await background.idle();
    },
  };
}
