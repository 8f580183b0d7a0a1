import { fork } from 'node:child_process';

export type ProcessFailure = 'too_slow' | 'ended' | 'not_started';

export class ProcessError extends Error {
  readonly failure: ProcessFailure;

  constructor(failure: ProcessFailure, options?: ErrorOptions) {
    super(`the process gave no answer: ${failure}`, options);
    this.failure = failure;
  }
}

export interface ProcessLimits {
  mostMs: number;
  /** For Node itself. */
  limits?: readonly string[];
}

/**
 * Runs a script on one order in a process of its own, which is killed after a time limit: if a library hangs or crashes
 * in it, only that process is lost. The process has no environment, and so none of the service's secrets.
 */
export function runInProcess<Answer>(
  script: URL,
  order: object,
  { mostMs, limits = [] }: ProcessLimits,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = fork(script, {
      serialization: 'advanced',
      execArgv: [...limits],
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const fail = (failure: ProcessFailure, options?: ErrorOptions) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new ProcessError(failure, options));
    };
    const timer = setTimeout(() => fail('too_slow'), mostMs);
    child.once('message', (answer) => {
      clearTimeout(timer);
      resolve(answer as Answer);
    });
    child.once('error', (cause) => fail('not_started', { cause }));
    child.once('exit', () => fail('ended'));
    child.send(order, (cause) => {
      if (cause) fail('not_started', { cause });
    });
  });
}

/** Sends the answer and ends; sends none if it fails. */
export function serveProcess<Order extends object, Answer extends object>(
  work: (order: Order) => Promise<Answer>,
): void {
  process.once('message', (order: Order) => {
    work(order).then(
      (answer) => process.send?.(answer, () => process.exit(0)),
      () => process.exit(1),
    );
  });
  process.once('disconnect', () => process.exit(1));
}
