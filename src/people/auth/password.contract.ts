import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { closed } from '../../kit/schemas.ts';
import { UserId, userExample } from '../users/users.contract.ts';

const Password = Type.String({ minLength: 1, maxLength: 1024 });

export const changePassword = contract('PUT /api/users/{id}/password', {
  name: 'changePassword',
  peopleOnly: true,
  auth: 'bearer',
  tag: 'Users',
  summary: 'Change a password',
  description:
    "One's own, with `current_password`, which ends one's other sessions; or, for admins, that of somebody who is not above them, which ends all sessions of that person. A wrong `current_password` is 400 and changes nothing.",
  params: Type.Object({ id: UserId }),
  body: closed({
    current_password: Type.Optional(Password),
    new_password: Type.String({ minLength: 1, maxLength: 1024, description: '8 characters to 72 bytes' }),
  }),
  reply: Type.Object({ message: Type.String() }),
  errors: [403, 404, 503],
  limit: 'login',
  example: {
    params: { id: userExample.user_id },
    body: { current_password: 'a long pass phrase', new_password: 'a longer pass phrase' },
    reply: { message: 'The password was changed' },
  },
});
