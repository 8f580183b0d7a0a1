import { Type } from 'typebox';
import { binaryReply, contract } from '../../kit/contract.ts';
import { pageReply } from '../../kit/page.ts';
import { named } from '../../kit/schemas.ts';
import { UserId, userExample } from './users.contract.ts';

const Person = named('Person', {
  id: Type.String(),
  display_name: Type.String(),
  avatar: Type.Union([Type.String(), Type.Null()], {
    description: 'The address of the picture that they uploaded here; null without one',
  }),
});

const avatar = `/api/people/${userExample.user_id}/avatar`;
const shared = { auth: 'bearer', tag: 'Users' } as const;

export const listPeople = contract('GET /api/people', {
  ...shared,
  name: 'listPeople',
  summary: 'Who the members of the team are',
  description:
    'For every member: names for the ids of `updated_by`, without addresses and roles. Closed accounts are among them.',
  query: Type.Object({
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 1_000 })),
  }),
  reply: pageReply({ items: Type.Array(Person) }),
  example: {
    reply: {
      total: 1,
      offset: 0,
      limit: 1_000,
      items: [{ id: userExample.user_id, display_name: 'Mara', avatar }],
    },
  },
});

export const getPersonAvatar = contract('GET /api/people/{id}/avatar', {
  ...shared,
  name: 'getPersonAvatar',
  summary: "A member's picture",
  params: Type.Object({ id: UserId }),
  replyType: 'image/jpeg',
  reply: binaryReply,
  errors: [404],
  example: { params: { id: userExample.user_id } },
});
