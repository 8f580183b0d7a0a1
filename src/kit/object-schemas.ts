import { type TObject, type TObjectOptions, type TProperties, Type } from 'typebox';

/** An object that refuses any other name. */
export const closed = <P extends TProperties>(properties: P, options: TObjectOptions = {}): TObject<P> =>
  Type.Object(properties, { ...options, additionalProperties: false });

/** An object that the OpenAPI document lists once, under this name. */
export const named = <P extends TProperties>($id: string, properties: P): TObject<P> =>
  Type.Object(properties, { $id });
