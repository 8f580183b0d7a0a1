import type { EventDefinition } from '../../../kit/event.ts';
import { type BusEvent, type BusListener, type EventOrigin, eventsMissed } from '../bus.ts';

export type OnListenerError = (error: unknown, origin: EventOrigin, type: string) => void;

interface Subscription {
  /** If false, the event is not even parsed. */
  wants(type: string, origin: EventOrigin): boolean;
  listener: BusListener<BusEvent>;
}

export function isFollowed(tenantId: string, definitions: readonly EventDefinition[]): Subscription['wants'] {
  const names = new Set([...definitions, eventsMissed].map(({ name }) => name));
  return (type, origin) => origin.tenantId === tenantId && names.has(type);
}

/** `onError` gets the errors of listeners; it must not throw itself. */
export function createDelivery(onError: OnListenerError) {
  const subscriptions = new Set<Subscription>();
  const running = new Set<Promise<void>>();

  async function deliver(subscription: Subscription, json: string, type: string, origin: EventOrigin) {
    try {
      // Listeners run after `publish` has returned, since its caller must not wait for them.
      await nextTurn();
      if (subscriptions.has(subscription)) await subscription.listener(JSON.parse(json), origin);
    } catch (error) {
      onError(error, origin, type);
    }
  }

  return {
    send({ tenantId, projectId }: EventOrigin, type: string, json: string): void {
      const origin = { tenantId, projectId };
      for (const subscription of subscriptions) {
        if (!subscription.wants(type, origin)) continue;
        const delivery: Promise<void> = deliver(subscription, json, type, origin).finally(() =>
          running.delete(delivery),
        );
        running.add(delivery);
      }
    },
    /** `wants` must guarantee that events have the type that `listener` expects. */
    subscribe<Event>(wants: Subscription['wants'], listener: BusListener<Event>): () => void {
      const subscription = {
        wants,
        listener: (event: BusEvent, origin: EventOrigin) => listener(event as Event, origin),
      };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
