import { type ChatEvent, type ChatRequest, LlmError, type ModelAddress } from '../llm.ts';
import { chatEvents } from './chat-events.ts';
import type { DeclinedSchemas } from './declined-schemas.ts';
import { toLlmError } from './failures.ts';
import type { GuardedCall } from './guarded-fetch.ts';
import { openModel } from './library-models.ts';
import { callOptionsOf } from './prompt.ts';

interface Asked {
  address: ModelAddress;
  request: ChatRequest;
  signal: AbortSignal;
}

export interface Begun {
  first: ChatEvent;
  rest: AsyncIterator<ChatEvent>;
  /** True if the request had a schema that was not sent. */
  schemaDeclined: boolean;
}

/**
 * Waits for the first event, up to which a request may be repeated. Many local servers and older models refuse any schema: they
 * are asked once more without it, since the messages ask for JSON too.
 */
export async function beginChat(asked: Asked, call: GuardedCall, declined: DeclinedSchemas): Promise<Begun> {
  const { address, request } = asked;
  if (request.schema === undefined) return { ...(await begin(asked, call)), schemaDeclined: false };
  const { schema: _, ...rest } = request;
  const beginWithout = async () => ({
    ...(await begin({ ...asked, request: rest }, call)),
    schemaDeclined: true,
  });
  if (declined.has(address)) return beginWithout();
  try {
    return { ...(await begin(asked, call)), schemaDeclined: false };
  } catch (error) {
    const refusal = toLlmError(error, address);
    if (refusal.failure !== 'refused') throw error;
    const begun = await beginWithout();
    declined.add(address, refusal);
    return begun;
  }
}

async function begin({ address, request, signal }: Asked, { fetch }: GuardedCall) {
  const model = await openModel(address, fetch);
  const { stream } = await model.doStream(callOptionsOf(request, signal));
  const rest = chatEvents(stream, request);
  const { value: first, done } = await rest.next();
  if (done) throw new LlmError('bad_answer', 'The answer has no end');
  return { first, rest };
}
