import { Type } from 'typebox';
import type { EventDefinition } from '../../../kit/event.ts';
import { createChecker } from '../../../kit/http/validation.ts';
import { NullableText } from '../../../kit/schemas.ts';
import type { BusEvent } from '../bus.ts';

type Message = BusEvent & { origin: string; project_id?: string | null };

const checkMessage = createChecker(
  Type.Object({ type: Type.String(), origin: Type.String(), project_id: Type.Optional(NullableText) }),
);

/** Messages of other processes may be newer or broken: one without a matching schema is dropped. */
export function createMessageReader(onRefused: (reason: string) => void) {
  const checks = new Map<string, ReturnType<typeof createChecker>>();
  const refused = new Set<string>();

  /** Reports each kind once: one broken publisher would fill the log. */
  function refuse(type: string, reason: string): null {
    if (!refused.has(type)) onRefused(reason);
    refused.add(type);
    return null;
  }

  return {
    expect(definitions: readonly EventDefinition[]): void {
      for (const { name, schema } of definitions)
        if (!checks.has(name)) checks.set(name, createChecker(schema));
    },
    read(text: string): { sender: string; projectId: string | null; event: BusEvent } | null {
      const message = parsed(text);
      if (checkMessage(message)) return refuse('', 'a message from another process is no event');
      const { origin: sender, project_id: projectId = null, ...event } = message as Message;
      const check = checks.get(event.type);
      if (check === undefined) return null;
      const problems = check(event);
      if (problems === null) return { sender, projectId, event };
      return refuse(
        event.type,
        `an event ${event.type} from another process does not match its schema: ${JSON.stringify(problems)}`,
      );
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
