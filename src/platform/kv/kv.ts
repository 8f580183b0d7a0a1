/**
 * Small short-lived values shared by all processes of a service: rate limits, one-time codes, tickets. Nothing here is
 * durable: a value may vanish before its time, and callers must survive that.
 */
export interface KeyValue {
  get(key: string): Promise<string | undefined>;
  /** `ttlMs` is a positive number of milliseconds; the key is gone after it. */
  set(key: string, value: string, options: { ttlMs: number }): Promise<void>;
  /** Reads and deletes in one step: of any number of parallel calls one gets the value. */
  take(key: string): Promise<string | undefined>;
  /**
   * Adds one to a counter in a fixed window that opens with the first call and lasts `ttlMs`; the count, this call
   * included, and the time of the window's end. Counters and values do not share keys.
   */
  increment(key: string, options: { ttlMs: number }): Promise<WindowCount>;
  /** Puts a value into a group, under its key there; it leaves the group after `ttlMs`. */
  join(group: string, key: string, value: string, options: { ttlMs: number }): Promise<void>;
  leave(group: string, key: string): Promise<void>;
  /** The values of a group's present members, in no order. */
  members(group: string): Promise<string[]>;
  /** Rejects with `KeyValueUnavailable` within seconds when the store does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface WindowCount {
  count: number;
  resetAtMs: number;
}

/** The store is down, frozen or closed: a 503 or, for rate limits, the caller's own choice. */
export class KeyValueUnavailable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'KeyValueUnavailable';
  }
}
