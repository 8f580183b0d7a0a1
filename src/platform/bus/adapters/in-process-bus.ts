import type { Bus, BusEvent, BusListener } from '../bus.ts';

export interface InProcessBusOptions {
  /** Hears what listeners throw; must not throw itself. */
  onError: (error: unknown, tenantId: string, type: string) => void;
}

/** Delivers to the listeners of this process. */
export function createInProcessBus<Event extends BusEvent = BusEvent>({
  onError,
}: InProcessBusOptions): Bus<Event> {
  const listeners = new Set<BusListener<Event>>();
  const running = new Set<Promise<void>>();

  const deliver = async (listener: BusListener<Event>, tenantId: string, type: string, json: string) => {
    try {
      // Past the end of `publish`, whose caller is not to wait for listeners.
      await nextTurn();
      if (listeners.has(listener)) await listener(tenantId, JSON.parse(json));
    } catch (error) {
      onError(error, tenantId, type);
    }
  };

  const subscribe = (listener: BusListener<Event>) => {
    // A wrapper of its own, so that one function may subscribe twice.
    const own: BusListener<Event> = (tenantId, event) => listener(tenantId, event);
    listeners.add(own);
    return () => {
      listeners.delete(own);
    };
  };

  return {
    publish: (tenantId, event) => {
      const json = JSON.stringify(event);
      for (const listener of listeners) {
        const delivery: Promise<void> = deliver(listener, tenantId, event.type, json).finally(() =>
          running.delete(delivery),
        );
        running.add(delivery);
      }
    },
    subscribe,
    follow: (followed, listener) =>
      subscribe((tenantId, event) => (tenantId === followed ? listener(event) : undefined)),
    probe: async () => {},
    idle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
    close: async () => {},
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
