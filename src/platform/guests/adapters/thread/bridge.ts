import type { GuestFailure } from '../../guests.ts';
import type { GuestLogLevel } from '../../host.ts';
import type { BoundedLog } from './bounded-log.ts';
import { CELL, type HostAnswer, type HostQuestion, MOST_BYTES, sizeOf } from './messages.ts';

/** Why this call must end. A guest may catch the error and go on, so it is remembered. */
export interface Stop {
  code: GuestFailure;
  message: string;
}

export interface BridgeOptions {
  post(question: HostQuestion): void;
  /** Blocks until there is an answer. */
  receive(): HostAnswer;
  shared: Int32Array;
  log: BoundedLog;
}

const MOST_CALLS = 5_000;
const LEVELS: readonly GuestLogLevel[] = ['debug', 'info', 'warn', 'error'];

/** The functions of the host, as a guest sees them: they block until the other thread has answered. */
export function createBridge({ post, receive, shared, log }: BridgeOptions) {
  let calls = 0;
  let stop: Stop | null = null;

  function fail(code: GuestFailure, message: string): never {
    stop ??= { code, message };
    throw new Error(stop.message);
  }

  function ask(name: string, args: readonly unknown[]): unknown {
    calls += 1;
    if (stop !== null) throw new Error(stop.message);
    if (calls > MOST_CALLS)
      fail('too_many_calls', `It called the host more than ${MOST_CALLS} times in one call`);
    if (sizeOf(args, MOST_BYTES) > MOST_BYTES) fail('bad_result', `It passed more than 1 MiB to ${name}`);
    Atomics.store(shared, CELL.answered, 0);
    post({ type: 'host', name, args });
    Atomics.wait(shared, CELL.answered, 0);
    const answer = receive();
    if ('value' in answer) return answer.value ?? undefined;
    if ('stop' in answer) return fail(answer.stop, answer.message);
    // The translation takes the payload of what is thrown as the error that the world declares.
    throw Object.assign(new Error(answer.refused), { payload: answer.refused });
  }

  const asking =
    (name: string) =>
    (...args: unknown[]) =>
      ask(name, args);

  const among = (of: string, methods: readonly string[]) =>
    Object.fromEntries(methods.map((method) => [method, asking(`${of}.${method}`)]));

  return {
    begin(): void {
      calls = 0;
      stop = null;
    },
    stopped: (): Stop | null => stop,
    /** By the names that the translation has for them. */
    imports: {
      'canonry:plugin/log': {
        log(level: unknown, message: unknown): void {
          const line = String(message);
          if (line.length > MOST_BYTES) fail('bad_result', 'It logged more than 1 MiB at once');
          log.write(LEVELS.find((known) => known === level) ?? 'info', line);
        },
      },
      'canonry:plugin/entities': among('entities', ['get', 'listIds', 'search', 'write']),
      'canonry:plugin/settings': among('settings', ['get']),
      'canonry:plugin/kv': among('kv', ['get', 'set', 'delete', 'list']),
      'canonry:plugin/events': among('events', ['emit']),
      'canonry:plugin/http': among('http', ['request']),
    },
  };
}

export type Bridge = ReturnType<typeof createBridge>;
