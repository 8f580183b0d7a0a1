import { type Static, type TSchema, Type } from 'typebox';
import { invalid } from '../../kit/errors.ts';
import { createValidator } from '../../kit/http/validation.ts';
import { closed } from '../../kit/schemas.ts';

const Name = Type.String({ maxLength: 200 });
const list = <Item extends TSchema>(item: Item) => Type.Optional(Type.Array(item, { maxItems: 200 }));
const message = <Properties extends Record<string, TSchema>>(properties: Properties) => closed(properties);

const Subscribe = message({
  type: Type.Literal('subscribe'),
  types: list(Name),
  entity_types: list(Name),
  entities: list(closed({ entity_type: Name, entity_id: Name })),
});

const Presence = message({
  type: Type.Literal('presence'),
  status: Type.Enum(['online', 'idle', 'editing']),
  entity_type: Type.Optional(Name),
  entity_id: Type.Optional(Name),
  field: Type.Optional(Name),
});

const MESSAGES = {
  auth: message({ type: Type.Literal('auth'), token: Type.String({ minLength: 1, maxLength: 8_192 }) }),
  ping: message({ type: Type.Literal('ping') }),
  subscribe: Subscribe,
  presence: Presence,
};

export type Subscription = Static<typeof Subscribe>;
export type PresenceMessage = Static<typeof Presence>;
export type ClientMessage = {
  [Type in keyof typeof MESSAGES]: Static<(typeof MESSAGES)[Type]>;
}[keyof typeof MESSAGES];

const validators = new Map(
  Object.entries(MESSAGES).map(([type, schema]) => [type, createValidator(schema, 'body')]),
);

/** 422 says what is wrong with the message. */
export function readMessage(text: string): ClientMessage {
  const value = parsed(text);
  const validate = validators.get(String(value?.type));
  if (value === null || validate === undefined) {
    throw invalid(`Send JSON objects whose type is one of ${[...validators.keys()].join(', ')}`, {
      code: 'unknown_message',
    });
  }
  validate(value);
  return value as ClientMessage;
}

function parsed(text: string): { type?: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
