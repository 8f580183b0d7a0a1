import { keyOfProject, type Scope } from '../../../world/records/index.ts';

export interface LocalEditsOptions {
  isConnected(scope: Scope): Promise<boolean>;
  /** True if something changed here that no round has seen. */
  hasNews(scope: Scope): Promise<boolean>;
  hint(scope: Scope): Promise<void>;
}

/** Edits in a row share a round. */
const TOGETHER_MS = 2_000;
/** A project without a folder is left alone for a while. */
const UNCONNECTED_MS = 30_000;

/** Brings what is edited here to the drive soon. Who edits waits for none of it. */
export function createLocalEdits({ isConnected, hasNews, hint }: LocalEditsOptions) {
  const waiting = new Map<string, NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();

  function wait(key: string, milliseconds: number, then: () => void): void {
    if (waiting.has(key)) return;
    const timer = setTimeout(() => {
      waiting.delete(key);
      then();
    }, milliseconds);
    waiting.set(key, timer.unref());
  }

  async function look(scope: Scope): Promise<void> {
    if (!(await isConnected(scope))) wait(keyOfProject(scope), UNCONNECTED_MS, () => {});
    else if (await hasNews(scope)) await hint(scope);
  }

  function start(scope: Scope): void {
    // A lost hint costs a minute: rounds come anyway.
    const looking = look(scope).catch(() => {});
    underWay.add(looking);
    void looking.finally(() => underWay.delete(looking));
  }

  function forget(key: string): void {
    clearTimeout(waiting.get(key));
    waiting.delete(key);
  }

  return {
    noticed: (scope: Scope): void => wait(keyOfProject(scope), TOGETHER_MS, () => start(scope)),
    /** The project has a folder from now on. */
    connected: (scope: Scope): void => forget(keyOfProject(scope)),
    async stop(): Promise<void> {
      for (const key of [...waiting.keys()]) forget(key);
      await Promise.all(underWay);
    },
  };
}
