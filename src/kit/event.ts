import { type Static, type TObject, type TProperties, Type } from 'typebox';

/** Declared beside the code that publishes it. */
export interface EventDefinition<Name extends string = string, Schema extends TObject = TObject> {
  readonly name: Name;
  readonly schema: Schema;
}

export type EventOf<Definition> =
  Definition extends EventDefinition<string, infer Schema> ? Static<Schema> : never;

export type ContentOf<Definition> =
  Definition extends EventDefinition<string, infer Schema> ? Omit<Static<Schema>, 'type'> : never;

export const defineEvent = <const Name extends string, Properties extends TProperties>(
  name: Name,
  properties: Properties,
  options: { $id?: string } = {},
) => ({ name, schema: Type.Object({ type: Type.Literal(name), ...properties }, options) });

/** The same text in the log, on the bus and at clients. */
export const eventJson = <Definition extends EventDefinition>(
  { name }: Definition,
  content: ContentOf<Definition>,
): string => JSON.stringify({ type: name, ...content });
