import { type TObject, type TObjectOptions, type TProperties, Type } from 'typebox';

export const Text = Type.String();
export const Count = Type.Integer({ minimum: 0 });

export const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });
export const NullableNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] });
export const NullableInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] });

export const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ ...NullableText, description });
export const nullableInteger = (description: string) =>
  Type.Unsafe<number | null>({ ...NullableInteger, description });

export const oneOf = <Word extends string>(words: readonly Word[]) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words] });

/** An object that refuses any other name. */
export const closed = <P extends TProperties>(properties: P, options: TObjectOptions = {}): TObject<P> =>
  Type.Object(properties, { ...options, additionalProperties: false });

/** An object that the OpenAPI document lists once, under this name. */
export const named = <P extends TProperties>($id: string, properties: P): TObject<P> =>
  Type.Object(properties, { $id });
