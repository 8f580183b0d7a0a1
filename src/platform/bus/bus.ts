/** What happened, as plain JSON; modules narrow it to their own unions. */
export type BusEvent = { type: string } & Record<string, unknown>;

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
  /** Returns the function that ends the subscription. */
  subscribe(listener: BusListener<Event>): () => void;
  /** Resolves when every event published so far, and those published by its listeners, are delivered and handled. */
  idle(): Promise<void>;
}
