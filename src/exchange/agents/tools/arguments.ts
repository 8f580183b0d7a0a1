import { Type } from 'typebox';
import { type FieldError, type HttpError, invalid } from '../../../kit/errors.ts';

export const EntityType = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Entity type, such as `character`; list_types names them',
});

export const EntityId = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Id of the entity, such as `mira_vale`',
});

export const Version = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

export const Types = Type.Array(EntityType, {
  maxItems: 30,
  description: 'Only these types; all by default',
});

export const limitOf = (most: number, usual: number) =>
  Type.Integer({ minimum: 1, maximum: most, description: `At most so many; ${usual} by default` });

export const Offset = Type.Integer({
  minimum: 0,
  maximum: 10_000_000,
  description: 'Where to go on: `next_offset` of the answer before',
});

export const Cursor = Type.String({
  maxLength: 400,
  description: 'Where to go on: `next_cursor` of the answer before',
});

/** An entity is named by both or, for the whole world, by neither. Throws 422. */
export function requireBothOrNeither(type: string | undefined, id: string | undefined): void {
  if ((type === undefined) === (id === undefined)) return;
  throw invalid('give entity_type and entity_id together, or neither for the whole world', {
    code: 'invalid_arguments',
  });
}

export function wrongArguments(faults: readonly FieldError[]): HttpError {
  const all = faults.map(({ field, message }) =>
    field === '' ? `the arguments ${message}` : `argument '${field}' ${message}`,
  );
  return invalid(all.join('; '), { code: 'invalid_arguments' });
}

/** A list of types as routes take it: nothing for an empty one. */
export const listed = (types: readonly string[] = []) => (types.length > 0 ? { types: types.join(',') } : {});
