/**
 * Tells which paths of one content folder may have changed. A hint only: every named path leads to a hash check, and a
 * periodic sweep finds what the events missed.
 */
export interface Watcher {
  /**
   * Resolves when changes from now on are seen, or when the system cannot watch (`status().error` says why, and
   * `onLost` was called): the service goes on with the periodic sweep.
   * `onPaths` gets relative `/`-separated paths, each once a group. One may be gone again, and one of a folder that is
   * gone stands for all that was below it; what is below a new folder is named as well. Hidden entries are left out.
   * `onLost` says that changes may have been missed, so a full sweep is due. After it `status().running` may be false;
   * `start` may then be called again.
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
  /** How often `onLost` was called. */
  losses: number;
  error: string | null;
}

/** What is said before a watch begins, and where there is none. */
export const NOT_WATCHING: Readonly<WatcherStatus> = {
  running: false,
  backend: 'none',
  events_seen: 0,
  last_event_at: null,
  losses: 0,
  error: null,
};
