import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';

export const PASSWORD_TAG = {
  'Passwords and addresses': 'Forgotten passwords and the verification of addresses, by mail.',
};

export const resetForgottenPassword = contract('POST /api/auth/reset-password', {
  name: 'resetForgottenPassword',
  auth: 'none',
  tag: 'Passwords and addresses',
  summary: 'Choose a new password with a token',
  description:
    'The token comes by mail, or from an admin who ran `canonry user reset-link`; it is good once and for an hour. All sessions and API keys of the account end.',
  body: Type.Object({
    token: Type.String({ minLength: 1, maxLength: 200 }),
    new_password: Type.String({ minLength: 1, maxLength: 1024, description: '8 characters to 72 bytes' }),
  }),
  reply: Type.Object({ message: Type.String() }),
  errors: [401, 503],
  limit: 'login',
  example: {
    body: { token: 'cnrp_Yk1T0Zq7v3l9o2c4d5e6f7g8h9i0j1k2l3m4n5o6p7q', new_password: 'a longer pass phrase' },
    reply: { message: 'The password was changed: sign in with it' },
  },
});
