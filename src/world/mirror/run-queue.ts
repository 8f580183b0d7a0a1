/** What a run looks at. */
export type SyncScope =
  | { kind: 'full' }
  | { kind: 'type'; type: string }
  | { kind: 'paths'; paths: string[] };

export interface SyncRequest {
  scope: SyncScope;
  /** Go on although much would be deleted. */
  force: boolean;
  /** `hint`: named by the watcher or another part of the service. */
  origin: 'caller' | 'sweep' | 'hint';
}

interface Entry<Result> {
  request: SyncRequest;
  promise: Promise<Result>;
  run(): Promise<void>;
  reject(error: unknown): void;
}

function covers(running: SyncRequest, asked: SyncRequest): boolean {
  // What the service started by itself may have passed what the caller has in mind.
  if (running.origin !== 'caller' || (asked.force && !running.force)) return false;
  if (running.scope.kind === 'full') return true;
  return JSON.stringify(running.scope) === JSON.stringify(asked.scope);
}

/**
 * One run at a time. Who asks for what the running one covers gets its result; hints wait in one entry of their own,
 * since what they name may be read already.
 */
export function createRunQueue<Result>(perform: (request: SyncRequest) => Promise<Result>) {
  const waiting: Entry<Result>[] = [];
  /** Work that needs the scanner to itself, between runs. */
  const turns: (() => Promise<void>)[] = [];
  let running: Entry<Result> | null = null;
  let draining: Promise<void> | null = null;

  function enqueue(request: SyncRequest): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    promise.catch(() => {});
    // Over before its result is told: who asks with that in hand means a new run.
    const over = () => {
      running = null;
    };
    const run = () => perform(request).finally(over).then(resolve, reject);
    waiting.push({ request, promise, run, reject });
    draining ??= drain();
    return promise;
  }

  async function drain(): Promise<void> {
    // In the next turn, so that `draining` is set before it is taken back.
    await Promise.resolve();
    while (waiting.length + turns.length > 0) {
      await turns.shift()?.();
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
    /** Runs `work` while no run does. */
    turn<Value>(work: () => Promise<Value>): Promise<Value> {
      const { promise, resolve, reject } = Promise.withResolvers<Value>();
      turns.push(() => work().then(resolve, reject));
      draining ??= drain();
      return promise;
    },
    isBusy: (): boolean => running !== null || waiting.length > 0,
    /** Whether nothing runs or waits, work between runs included. */
    isIdle: (): boolean => draining === null,
    /** Resolves when nothing runs or waits. */
    async idle(): Promise<void> {
      while (draining) await draining;
    },
    /** Gives up what waits. */
    clear(error: Error): void {
      for (const entry of waiting.splice(0)) entry.reject(error);
    },
  };
}
