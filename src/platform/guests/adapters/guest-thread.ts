import type { Worker } from 'node:worker_threads';
import { messageOf } from '../../../kit/errors.ts';
import { startThread } from '../../../kit/start-thread.ts';
import { GuestError } from '../guests.ts';
import type { GuestHost } from '../host.ts';
import { type CallTimer, createCallTimer } from './call-timer.ts';
import { answerGuest } from './host-functions.ts';
import type { PreparedGuest } from './prepared.ts';
import {
  type CallOrder,
  CELL,
  type Outcome,
  type ThreadMessage,
  type ThreadStart,
} from './thread/messages.ts';

/** For everything but the memory of WebAssembly, which these do not bound. */
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 };

export interface ThreadCall extends CallOrder {
  deadlineMs: number;
  host: GuestHost;
}

export interface GuestThread {
  /** Runs the guest's own code that comes before its first call; its log goes to this host. */
  begin(host: GuestHost): Promise<void>;
  hasBegun(): boolean;
  /** Once it has begun, one at a time. The thread is over after any rejection but `failed` and `not_exported`, and when the guest is full. */
  call(call: ThreadCall): Promise<unknown>;
  isOver(): boolean;
  /** A call that runs is rejected with `ended`. */
  end(): Promise<void>;
}

interface Running {
  host: GuestHost;
  timer: CallTimer;
  resolve(result: unknown): void;
  reject(error: GuestError): void;
}

/** The instance goes on after these. */
const HARMLESS: ReadonlySet<string> = new Set(['failed', 'not_exported']);

/** Starts a thread for one instance of a guest, which has `startMs` to begin. */
export function openGuest({ glue, modules }: PreparedGuest, startMs: number): GuestThread {
  const shared = new Int32Array(new SharedArrayBuffer(CELL.count * Int32Array.BYTES_PER_ELEMENT));
  const start: ThreadStart = { prepared: { glue, modules }, shared };
  const worker = startThread(new URL('./guest.worker.ts', import.meta.url), {
    workerData: start,
    resourceLimits: LIMITS,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  if (worker === null) throw new GuestError('ended', 'The system has no thread left: try again shortly');
  const { run, isOver, end } = createRunner(worker, shared);
  let hasBegun = false;
  return {
    async begin(host) {
      if (!hasBegun) await run({ deadlineMs: startMs, host }, null);
      hasBegun = true;
    },
    hasBegun: () => hasBegun,
    call: ({ deadlineMs, host, interface: of, method, args }) =>
      run({ deadlineMs, host }, { interface: of, method, args }),
    isOver,
    end,
  };
}

/** Node before 24.6 cannot tell. */
const workedBy = async (worker: Worker): Promise<number> => {
  if (!('cpuUsage' in worker)) return Number.POSITIVE_INFINITY;
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1_000;
};

/** The beginning counts as a call without an order. */
function createRunner(worker: Worker, shared: Int32Array) {
  let running: Running | null = null;
  let hostFailure: unknown;
  let isOver = false;
  /** Milliseconds, before the present call. */
  let workedBefore = 0;

  async function end(error = new GuestError('ended', 'The guest was ended')): Promise<void> {
    isOver = true;
    const interrupted = running;
    running = null;
    interrupted?.reject(error);
    await worker.terminate();
  }

  function fail({ code, message }: Outcome & { type: 'failed' }): void {
    const failed = running;
    running = null;
    failed?.reject(new GuestError(code, message, hostFailure ? { cause: hostFailure } : {}));
    if (!HARMLESS.has(code)) void end();
  }

  async function answer(call: Running, question: ThreadMessage & { type: 'host' }): Promise<void> {
    call.timer.turnTo('host');
    const reply = await answerGuest(call.host, question, (error) => {
      hostFailure = error;
    });
    if (running === call) call.timer.turnTo('guest');
    worker.postMessage(reply);
    Atomics.store(shared, CELL.answered, 1);
    Atomics.notify(shared, CELL.answered);
  }

  worker.on('message', (message: ThreadMessage) => {
    const call = running;
    if ('workedMs' in message) workedBefore = message.workedMs;
    if (call === null) return;
    if (message.type === 'log') call.host.log(message.level, message.message);
    else if (message.type === 'host') void answer(call, message);
    else if (message.type === 'failed') fail(message);
    else {
      running = null;
      call.resolve(message.result);
      if (message.isLast) void end();
    }
  });
  worker.on('error', (error: Error & { code?: string }) => {
    const ranOut = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    void end(new GuestError(ranOut ? 'memory' : 'trap', ranOut ? 'It ran out of memory' : messageOf(error)));
  });
  worker.on('exit', () => void end());

  async function run(
    { deadlineMs, host }: Pick<ThreadCall, 'deadlineMs' | 'host'>,
    order: CallOrder | null,
  ): Promise<unknown> {
    if (isOver) throw new GuestError('ended', 'The guest was ended');
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = createCallTimer({
      limitMs: deadlineMs,
      workedMs: async () => (await workedBy(worker)) - workedBefore + Atomics.load(shared, CELL.slept),
      isOver: giveUp,
    });
    const mine = { host, timer, resolve, reject };
    running = mine;
    hostFailure = undefined;
    Atomics.store(shared, CELL.leftOut, 0);
    Atomics.store(shared, CELL.slept, 0);
    worker.ref();
    if (order) worker.postMessage(order);

    function giveUp(whose: 'guest' | 'host'): void {
      if (running !== mine) return;
      const error =
        whose === 'guest'
          ? new GuestError('timeout', `It took longer than ${deadlineMs} ms`)
          : new GuestError('host', `What it asked the host for took longer than ${deadlineMs} ms`);
      void end(error);
    }

    try {
      return await promise;
    } finally {
      timer.stop();
      // Only a call keeps the process alive; an idle thread does not.
      if (!isOver) worker.unref();
      const leftOut = Atomics.load(shared, CELL.leftOut);
      if (leftOut > 0) host.log('warn', `${leftOut} more lines of this call were left out`);
    }
  }

  return { run, isOver: () => isOver, end: () => end() };
}
