import { type ContentOf, defineEvent, type EventDefinition, type EventOf } from '../../kit/event.ts';

/** Any event as JSON. */
export type BusEvent = { type: string } & Record<string, unknown>;

/** Where something happened; `projectId` is null for what is all of the tenant's. */
export interface EventOrigin {
  tenantId: string;
  projectId: string | null;
}

/** Tells a follower to look elsewhere for what it has not heard. */
export const eventsMissed = defineEvent('events_missed', {});

export type BusListener<Event> = (event: Event, origin: EventOrigin) => void | Promise<void>;

/**
 * Carries events after the commit that caused them. Listeners get a JSON copy of their own, later than `publish`
 * returns, in the order of publishing; one that throws or rejects stops nobody. An event that cannot be JSON throws in
 * `publish`. The functions that `on`, `onAny` and `follow` return end the subscription.
 */
export interface Bus {
  publish<Definition extends EventDefinition>(
    origin: EventOrigin,
    definition: Definition,
    content: ContentOf<Definition>,
  ): void;
  /** Hears one kind of event that this process publishes. */
  on<Definition extends EventDefinition>(
    definition: Definition,
    listener: BusListener<EventOf<Definition>>,
  ): () => void;
  /** Hears every event that this process publishes. */
  onAny(listener: BusListener<BusEvent>): () => void;
  /**
   * Hears the given kinds of events that any process publishes for a tenant, and `eventsMissed` where some of them may
   * have been lost on the way. Events of other processes may be lost, never changed or repeated; one that does not
   * match its schema reaches nobody.
   */
  follow<Definition extends EventDefinition>(
    tenantId: string,
    definitions: readonly Definition[],
    listener: BusListener<EventOf<Definition> | EventOf<typeof eventsMissed>>,
  ): () => void;
  /** Rejects while other processes cannot be reached. */
  probe(): Promise<void>;
  /** Resolves when every event published so far, and those published by its listeners, are delivered and handled. */
  idle(): Promise<void>;
  close(): Promise<void>;
}
