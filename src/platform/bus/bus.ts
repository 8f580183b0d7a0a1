/** What happened, as plain JSON; modules narrow it to their own unions. */
export type BusEvent = { type: string } & Record<string, unknown>;

/** The type of the event that tells a follower to look elsewhere for what it has not heard. */
export const EVENTS_MISSED = 'events_missed';

export type BusListener<Event extends BusEvent = BusEvent> = (
  tenantId: string,
  event: Event,
) => void | Promise<void>;

/**
 * Carries events after the commit that caused them. Listeners get a JSON copy of their own, later than `publish`
 * returns, in the order of publishing; one that throws or rejects stops nobody. An event that cannot be JSON throws in
 * `publish`.
 */
export interface Bus<Event extends BusEvent = BusEvent> {
  publish(tenantId: string, event: Event): void;
  /** Hears what this process publishes; returns the function that ends the subscription. */
  subscribe(listener: BusListener<Event>): () => void;
  /**
   * Hears what any process publishes for a tenant, and `EVENTS_MISSED` where some of it may have been lost on the way.
   * Events of other processes may be lost, never changed or repeated.
   */
  follow(tenantId: string, listener: (event: Event) => void | Promise<void>): () => void;
  /** Rejects while other processes cannot be reached. */
  probe(): Promise<void>;
  /** Resolves when every event published so far, and those published by its listeners, are delivered and handled. */
  idle(): Promise<void>;
  close(): Promise<void>;
}
