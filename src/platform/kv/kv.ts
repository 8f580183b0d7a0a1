/**
 * Small short-lived values shared by all processes of a service: rate limits, one-time codes, tickets. Nothing here is
 * durable: a value may vanish before its time, and callers must survive that.
 */
export interface KeyValue {
  get(key: string): Promise<string | undefined>;
  /** `ttlMs` is a positive number of milliseconds after which the key is gone. */
  set(key: string, value: string, options: { ttlMs: number }): Promise<void>;
  /** Reads and deletes in one step: only one of several concurrent calls gets the value. */
  take(key: string): Promise<string | undefined>;
  /**
   * Increments a counter in a fixed window that opens with the first call and lasts `ttlMs`. Returns the count, including
   * this call, and the end of the window. Counters and values do not share keys.
   */
  increment(key: string, options: { ttlMs: number }): Promise<WindowCount>;
  /** Adds a value to a group under a key; it leaves the group after `ttlMs`. */
  join(group: string, key: string, value: string, options: { ttlMs: number }): Promise<void>;
  leave(group: string, key: string): Promise<void>;
  /** The values of a group's current members, in no order. */
  members(group: string): Promise<string[]>;
  /** Rejects with `KeyValueUnavailable` within seconds if the store does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface WindowCount {
  count: number;
  resetAtMs: number;
}

/** The store is down, frozen or closed. Callers reply with a 503 or, for rate limits, decide themselves. */
export class KeyValueUnavailable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'KeyValueUnavailable';
  }
}
