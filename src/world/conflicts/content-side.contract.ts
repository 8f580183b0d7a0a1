import { Type } from 'typebox';
import { closed } from '../../kit/schemas.ts';

/** One side of a comparison or a merge: a version, a file's text, or fields and body. */
export const ContentSide = closed(
  {
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'A version of the entity `entity_id`',
      }),
    ),
    content: Type.Optional(Type.String({ maxLength: 8_000_000, description: 'A file’s full text' })),
    name: Type.Optional(Type.String({ maxLength: 500 })),
    status: Type.Optional(Type.String({ maxLength: 100 })),
    fields: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'All own fields' })),
    markdown_body: Type.Optional(Type.String({ maxLength: 8_000_000 })),
  },
  {
    description: 'Either `version`, or `content`, or `fields` and `markdown_body` (with `name` and `status`)',
  },
);

export const SideEntityId = Type.Optional(
  Type.String({ description: 'The entity that versions belong to', maxLength: 100 }),
);

/** Bytes of a request with two or three texts. */
export const SIDES_LIMIT = 25 * 1024 * 1024;
