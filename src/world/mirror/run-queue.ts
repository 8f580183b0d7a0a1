export type SyncScope =
  | { kind: 'full' }
  | { kind: 'type'; type: string }
  | { kind: 'paths'; paths: string[] };

export interface SyncRequest {
  scope: SyncScope;
  /** True to follow deletions however many they are. */
  force: boolean;
  /** `hint` stands for the watcher or another part of the service. */
  origin: 'caller' | 'sweep' | 'hint';
}

interface Entry<Result> {
  request: SyncRequest;
  promise: Promise<Result>;
  run(): Promise<void>;
  reject(error: unknown): void;
}

function covers(running: SyncRequest, asked: SyncRequest): boolean {
  // A run that the service started may already have passed the paths that the caller means.
  if (running.origin !== 'caller' || (asked.force && !running.force)) return false;
  if (running.scope.kind === 'full') return true;
  return JSON.stringify(running.scope) === JSON.stringify(asked.scope);
}

/**
 * Runs one request at a time. A request that the running one covers shares its result; hints wait in an entry of their own, since
 * the running one may already have read their paths.
 */
export function createRunQueue<Result>(perform: (request: SyncRequest) => Promise<Result>) {
  const waiting: Entry<Result>[] = [];
  /** Work between runs that needs the scanner for itself. */
  const between: (() => Promise<void>)[] = [];
  let running: Entry<Result> | null = null;
  let draining: Promise<void> | null = null;

  function enqueue(request: SyncRequest): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    promise.catch(() => {});
    // The run is over before its result is passed on: a caller that has the result and asks again wants a new run.
    const over = () => {
      running = null;
    };
    const run = () => perform(request).finally(over).then(resolve, reject);
    waiting.push({ request, promise, run, reject });
    draining ??= drain();
    return promise;
  }

  async function drain(): Promise<void> {
    // This waits for the next microtask, so that `draining` is set before it is cleared.
    await Promise.resolve();
    while (waiting.length + between.length > 0) {
      await between.shift()?.();
      const next = waiting.shift();
      if (next === undefined) continue;
      running = next;
      await next.run();
    }
    draining = null;
  }

  return {
    ask(request: SyncRequest): Promise<Result> {
      const entries = running ? [running, ...waiting] : waiting;
      const shared = entries.find((entry) => covers(entry.request, request));
      return shared ? shared.promise : enqueue(request);
    },
    hint(paths: readonly string[]): void {
      if (waiting.some(({ request }) => request.scope.kind === 'full')) return;
      const pending = waiting.find(({ request }) => request.origin === 'hint');
      if (pending?.request.scope.kind === 'paths') pending.request.scope.paths.push(...paths);
      else void enqueue({ scope: { kind: 'paths', paths: [...paths] }, force: false, origin: 'hint' });
    },

    betweenRuns<Value>(work: () => Promise<Value>): Promise<Value> {
      const { promise, resolve, reject } = Promise.withResolvers<Value>();
      between.push(() => work().then(resolve, reject));
      draining ??= drain();
      return promise;
    },
    isBusy: (): boolean => running !== null || waiting.length > 0,
    /** True if nothing runs or waits, including work between runs. */
    isIdle: (): boolean => draining === null,
    async idle(): Promise<void> {
      while (draining) await draining;
    },
    clear(error: Error): void {
      for (const entry of waiting.splice(0)) entry.reject(error);
    },
  };
}
