import type { GuestCallName, GuestCalls } from './calls.ts';
import type { GuestHost } from './host.ts';

/** A WebAssembly component of the world in `wit/plugin.wit`. */
export interface GuestComponent {
  /** SHA-256 in hex. */
  hash: string;
  /** Asked only if no translation is cached. */
  read(): Promise<Uint8Array>;
}

export type GuestExport = 'metadata' | 'hooks' | 'routes';
export type GuestImport = 'log' | 'entities' | 'settings' | 'kv' | 'events' | 'http';

/** What a component offers, and which of our interfaces it may call. */
export interface GuestShape {
  exports: readonly GuestExport[];
  imports: readonly GuestImport[];
}

export interface GuestCallOptions {
  /** From when the guest begins until it answers, with what the host takes for it. */
  deadlineMs: number;
  host: GuestHost;
}

export interface Guest {
  /** Rejects with a `GuestError` if the component is refused. */
  shape(): Promise<GuestShape>;
  /** Calls of one guest run one after another. All failures are `GuestError`s. Values are of the declared shape; JSON is not parsed. */
  call<Name extends GuestCallName>(
    name: Name,
    args: GuestCalls[Name]['args'],
    options: GuestCallOptions,
  ): Promise<GuestCalls[Name]['result']>;
}

/**
 * Runs the guests of plugins. Each key (a plugin in a project of a tenant) has an instance of its own in a thread of its own, begun by
 * its first call and ended when idle: nothing of it is ever seen under another key.
 */
export interface Guests {
  /** A call with another component than before ends the one before, and its calls. */
  open(key: string, component: GuestComponent): Guest;
  /** Ends the thread of a key. Calls that wait or run are rejected. */
  end(key: string): Promise<void>;
  /** Keys with a thread. */
  running(): string[];
  close(): Promise<void>;
}

export interface GuestLimits {
  /** Threads. A guest that is idle makes room; otherwise callers wait in line. */
  mostThreads: number;
  /** After so long without a call its thread ends. */
  idleMs: number;
  /** While others wait for a thread, a guest keeps its own for so long. */
  turnMs: number;
  /** How long a call waits until its guest begins with it. */
  waitMs: number;
  /** For the guest's own code that runs before its first call. */
  startMs: number;
}

/**
 * `refused`: not a component of the world, or it wants more than guests get. `busy`: it waited too long. `ended`: the thread was
 * ended, or could not be started. `not_exported`: the component lacks this function. `failed`: the guest returned an error, which is
 * the message. `host`: a function of the host failed (`cause`). The others are breaks of a limit, after which the guest is stopped.
 */
export type GuestFailure = 'refused' | 'busy' | 'ended' | 'not_exported' | 'failed' | 'host' | GuestBreak;

/** `timeout`, `memory`, `trap`: it crashed. `bad_result`: too long, or not of the world. `too_many_calls`: of the host. */
export type GuestBreak = 'timeout' | 'memory' | 'trap' | 'bad_result' | 'too_many_calls';

const BREAKS: ReadonlySet<string> = new Set<GuestBreak>([
  'timeout',
  'memory',
  'trap',
  'bad_result',
  'too_many_calls',
]);

/** The message is for the plugin's log. It may have words of the guest. */
export class GuestError extends Error {
  readonly code: GuestFailure;

  constructor(code: GuestFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'GuestError';
    this.code = code;
  }

  /** The guest broke a limit. */
  get isBreak(): boolean {
    return BREAKS.has(this.code);
  }
}
