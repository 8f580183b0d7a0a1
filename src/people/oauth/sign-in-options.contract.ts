import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { named } from '../../kit/schemas.ts';

export const getSignInOptions = contract('GET /internal/sign-in-options', {
  name: 'getSignInOptions',
  auth: 'service',
  tag: 'Between services',
  summary: 'How people register and sign in',
  reply: named('SignInOptions', {
    registration: Type.Enum(['open', 'invite', 'closed']),
    providers: Type.Array(Type.String()),
    mail: Type.Boolean({ description: 'A mail server is set' }),
  }),
  errors: [409],
  example: { reply: { registration: 'open', providers: ['google'], mail: true } },
});
