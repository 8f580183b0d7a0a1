/**
 * Reports paths of one content folder that may have changed. These are only hints: every path leads to a hash check, and
 * a periodic sweep finds missed changes.
 */
export interface Watcher {
  /**
   * Resolves when changes from now on are seen, or when the system cannot watch (`status().error` says why, and `onLost`
   * was called): the service then relies on the periodic sweep. `onPaths` gets relative `/`-separated paths, each once
   * per group. A path may be gone again, and a removed folder stands for everything that was below it; paths below a new
   * folder are named as well. Hidden entries are left out. `onLost` says that changes may have been missed, so a full
   * sweep is due. After it `status().running` may be false; `start` may then be called again.
   */
  start(onPaths: (paths: string[]) => void, onLost: (reason: string) => void): Promise<void>;
  /** No callback runs after it resolves. */
  stop(): Promise<void>;
  status(): WatcherStatus;
}

export interface WatcherStatus {
  running: boolean;
  /** The watching library, or `none` while nothing watches. */
  backend: string;
  events_seen: number;
  /** ISO 8601, UTC */
  last_event_at: string | null;
  /** Number of calls to `onLost`. */
  losses: number;
  error: string | null;
}

/** The status before a watch begins, and without one. */
export const NOT_WATCHING: Readonly<WatcherStatus> = {
  running: false,
  backend: 'none',
  events_seen: 0,
  last_event_at: null,
  losses: 0,
  error: null,
};
