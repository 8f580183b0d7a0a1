import { type Static, Type } from 'typebox';
import { Count, named, oneOf, Text } from '../../kit/schemas.ts';

const ShownPicture = Type.Object({
  media_type: Text,
  data: Type.String({ description: 'The bytes, in Base64' }),
});

/** A question to a model, to the letter. */
export const ShownQuestion = named('AiQuestion', {
  provider: Text,
  model: Text,
  messages: Type.Array(
    Type.Object({
      role: oneOf(['system', 'user'] as const),
      content: Text,
      pictures: Type.Optional(Type.Array(ShownPicture)),
    }),
    { description: 'Exactly what is sent' },
  ),
  schema: Type.Record(Type.String(), Type.Unknown(), { description: 'What the answer must fit' }),
  max_output_tokens: Count,
  tokens: Type.Integer({ minimum: 0, description: 'Estimate for the messages' }),
  most_credits: Type.Integer({
    minimum: 0,
    description: 'The most it can cost, with a second request if the answer does not fit the schema',
  }),
});
export type ShownQuestion = Static<typeof ShownQuestion>;

export const UsedModel = named('AiUsed', {
  provider: Text,
  model: Text,
  usage: Type.Object({ input_tokens: Count, output_tokens: Count }),
  credits: Type.Integer({ minimum: 0, description: 'What was charged' }),
});

export type UsedModel = Static<typeof UsedModel>;

/** For routes where a model is asked only on request. */
export const askProperties = {
  ai: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether to ask a model. Otherwise nothing is sent to one',
    }),
  ),
  provider: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The provider to ask; naming one implies `ai`',
    }),
  ),
};
