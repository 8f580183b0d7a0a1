import { type Static, type TObject, type TProperties, Type } from 'typebox';

/** A kind of event: its name, and the shape that clients receive. It is declared beside the code that publishes it. */
export interface EventDefinition<Name extends string = string, Schema extends TObject = TObject> {
  readonly name: Name;
  readonly schema: Schema;
}

/** An event as clients receive it. */
export type EventOf<Definition> =
  Definition extends EventDefinition<string, infer Schema> ? Static<Schema> : never;

/** The content of an event, without its type. */
export type ContentOf<Definition> =
  Definition extends EventDefinition<string, infer Schema> ? Omit<Static<Schema>, 'type'> : never;

export const defineEvent = <const Name extends string, Properties extends TProperties>(
  name: Name,
  properties: Properties,
  options: { $id?: string } = {},
) => ({ name, schema: Type.Object({ type: Type.Literal(name), ...properties }, options) });

/** An event's JSON: the same text in the log, on the bus and at clients. */
export const eventJson = <Definition extends EventDefinition>(
  { name }: Definition,
  content: ContentOf<Definition>,
): string => JSON.stringify({ type: name, ...content });
