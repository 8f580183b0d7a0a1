/**
 * Shared by all processes of a service: rate limits, one-time codes, tickets. Not durable: a value may vanish before its
 * time, and callers must survive that.
 */
export interface KeyValue {
  get(key: string): Promise<string | undefined>;
  /** `ttlMs` is positive. */
  set(key: string, value: string, options: { ttlMs: number }): Promise<void>;
  /** Reads and deletes in one step: only one of several concurrent calls gets the value. */
  take(key: string): Promise<string | undefined>;
  /**
   * In a fixed window that opens with the first call and lasts `ttlMs`. The count includes this call. Counters and values
   * do not share keys.
   */
  increment(key: string, options: { ttlMs: number }): Promise<WindowCount>;
  /** It leaves the group after `ttlMs`. */
  join(group: string, key: string, value: string, options: { ttlMs: number }): Promise<void>;
  leave(group: string, key: string): Promise<void>;
  /** In no order. */
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
