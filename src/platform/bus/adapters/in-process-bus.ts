import { type EventDefinition, eventJson } from '../../../kit/event.ts';
import { createChecker } from '../../../kit/http/validation.ts';
import type { Bus } from '../bus.ts';
import { createDelivery, isFollowed, type OnListenerError } from './delivery.ts';

export interface InProcessBusOptions {
  /** Gets the errors of listeners; must not throw itself. */
  onError: OnListenerError;
  /** As in tests: `publish` throws for an event that does not match its schema. */
  verify?: boolean;
}

export function createInProcessBus({ onError, verify = false }: InProcessBusOptions): Bus {
  const delivery = createDelivery(onError);
  const requireShape = createVerifier();
  return {
    publish(origin, definition, content) {
      const json = eventJson(definition, content);
      if (verify) requireShape(definition, json);
      delivery.send(origin, definition.name, json);
    },
    on: ({ name }, listener) => delivery.subscribe((type) => type === name, listener),
    onAny: (listener) => delivery.subscribe(() => true, listener),
    follow: (tenantId, definitions, listener) =>
      delivery.subscribe(isFollowed(tenantId, definitions), listener),
    probe: async () => {},
    idle: delivery.idle,
    close: async () => {},
  };
}

function createVerifier() {
  const checks = new Map<EventDefinition, ReturnType<typeof createChecker>>();
  return (definition: EventDefinition, json: string): void => {
    const check = checks.get(definition) ?? createChecker(definition.schema);
    checks.set(definition, check);
    const problems = check(JSON.parse(json));
    if (problems)
      throw new TypeError(`The event ${json} does not match its schema: ${JSON.stringify(problems)}`);
  };
}
