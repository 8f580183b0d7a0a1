import { type ContentOf, defineEvent, type EventDefinition, type EventOf } from '../../kit/event.ts';

export type BusEvent = { type: string } & Record<string, unknown>;

/** `projectId` is null for events about the whole tenant. */
export interface EventOrigin {
  tenantId: string;
  projectId: string | null;
}

/** The follower has to read the events that it missed from the log. */
export const eventsMissed = defineEvent('events_missed', {});

export type BusListener<Event> = (event: Event, origin: EventOrigin) => void | Promise<void>;

/**
 * Carries events after the commit that caused them. Each listener gets its own JSON copy, after `publish` has returned
 * and in the order of publishing; a listener that throws or rejects does not stop the others. An event that cannot be
 * serialized throws in `publish`. The functions that `on`, `onAny` and `follow` return end the subscription.
 */
export interface Bus {
  publish<Definition extends EventDefinition>(
    origin: EventOrigin,
    definition: Definition,
    content: ContentOf<Definition>,
  ): void;
  /** Only events of this process. */
  on<Definition extends EventDefinition>(
    definition: Definition,
    listener: BusListener<EventOf<Definition>>,
  ): () => void;
  /** Only events of this process. */
  onAny(listener: BusListener<BusEvent>): () => void;
  /**
   * Events of the given kinds that any process publishes for a tenant, and `eventsMissed` if some may have been lost.
   * Events of other processes may be lost, but never changed or repeated; one that does not match its schema is dropped.
   */
  follow<Definition extends EventDefinition>(
    tenantId: string,
    definitions: readonly Definition[],
    listener: BusListener<EventOf<Definition> | EventOf<typeof eventsMissed>>,
  ): () => void;
  /** Rejects while other processes cannot be reached. */
  probe(): Promise<void>;
  /** Resolves once all events so far, and those published by their listeners, are handled. */
  idle(): Promise<void>;
  close(): Promise<void>;
}
