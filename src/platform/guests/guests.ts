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

/** The interfaces that a component offers, and those of ours that it may call. */
export interface GuestShape {
  exports: readonly GuestExport[];
  imports: readonly GuestImport[];
}

export interface GuestCallOptions {
  /** For what the guest takes itself, and as long again for what the host takes for it. */
  deadlineMs: number;
  host: GuestHost;
}

export interface Guest {
  /** Translates the component if nobody has yet. Rejects with a `GuestError` if it is refused. */
  shape(): Promise<GuestShape>;
  /** Null for a component that is refused, and as long as it is not translated, which this begins. It never waits for that. */
  readyShape(): Promise<GuestShape | null>;
  /** Calls of one guest run one after another. All failures are `GuestError`s. Values are of the declared shape; JSON is not parsed. */
  call<Name extends GuestCallName>(
    name: Name,
    args: GuestCalls[Name]['args'],
    options: GuestCallOptions,
  ): Promise<GuestCalls[Name]['result']>;
}

/**
 * `saves`: hooks that a save waits for, with an entity's lock held. They have instances and places of their own, and find `busy` soon,
 * since a save goes on without them.
 */
export type GuestLane = 'saves' | 'other';

export interface GuestPlace {
  /** A tenant, whose guests share a limit of threads. By default the key alone. */
  owner?: string;
  /** `other` by default. */
  lane?: GuestLane;
}

/**
 * Runs the guests of plugins. Each key (a plugin in a project of a tenant) has an instance of its own for each lane in a thread of its
 * own, begun by its first call and ended when idle: nothing of it is ever seen under another key.
 */
export interface Guests {
  /** A call with another component than before ends the one before in this lane, and its calls. */
  open(key: string, component: GuestComponent, place?: GuestPlace): Guest;
  /** Ends the threads of a key. Calls that wait or run are rejected. */
  end(key: string): Promise<void>;
  /** Keys with a thread. */
  running(): string[];
  close(): Promise<void>;
}

export interface GuestLimits {
  /** Threads of each lane. A guest that is idle makes room; otherwise callers wait in line. */
  mostThreads: number;
  /** Of these, for one owner. */
  mostOfOwner: number;
  /** After so long without a call its thread ends. */
  idleMs: number;
  /** While others wait for a thread, a guest keeps its own for so long. */
  turnMs: number;
  /** A call waits for so long until its guest begins with it. */
  waitMs: number;
  /** The same for a save, whose guest has begun. */
  saveWaitMs: number;
  /** The same for a save, whose guest must begin first; with its beginning. */
  saveStartMs: number;
  /** For the guest's own code that runs before its first call. */
  startMs: number;
}

/**
 * `refused`: not a component of the world, or it wants more than guests get. `busy`: it waited too long. `ended`: the thread was
 * ended, or could not be started. `not_exported`: the component lacks this function. `failed`: the guest returned an error, which is
 * the message. `host`: a function of the host failed (`cause`) or took too long. The others are breaks of a limit, after which the guest is stopped.
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

  /** It says nothing of the guest: the same call may go well later. */
  get isPassing(): boolean {
    return this.code === 'busy' || this.code === 'ended' || this.code === 'host';
  }

  /** The guest broke a limit. */
  get isBreak(): boolean {
    return BREAKS.has(this.code);
  }
}
