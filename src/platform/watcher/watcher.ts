/** Only hints: every path leads to a hash check, and a periodic sweep finds missed changes. */
export interface Watcher {
  /**
   * Resolves when changes from now on are seen, or when the system cannot watch (`status().error` says why, and `onLost`
   * was called): then only the sweep finds changes. `onPaths` gets relative paths, each once per group. A path may be gone
   * again, a removed folder stands for everything below it, and paths below a new folder are named too; hidden entries are
   * not. `onLost` asks for a full sweep; `start` may be called again if `status().running` is false.
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
  last_event_at: string | null;
  losses: number;
  error: string | null;
}

export const NOT_WATCHING: Readonly<WatcherStatus> = {
  running: false,
  backend: 'none',
  events_seen: 0,
  last_event_at: null,
  losses: 0,
  error: null,
};
