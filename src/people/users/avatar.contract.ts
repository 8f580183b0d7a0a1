import { Type } from 'typebox';
import { binaryReply, contract, MEMORY } from '../../kit/contract.ts';
import { UserId, userExample } from './users.contract.ts';

const MB = 1024 * 1024;
const url = `/api/files/avatars/${userExample.user_id}.jpg`;

export const uploadAvatar = contract('POST /api/users/me/avatar', {
  name: 'uploadAvatar',
  memory: MEMORY.ofPicture,
  auth: 'bearer',
  tag: 'Users',
  summary: "Upload one's own picture",
  description:
    'JPEG, PNG or WebP of at most 5 MB and 40 million pixels. It is turned upright, made to fit 512 × 512 pixels, kept as JPEG without metadata, and replaces the one before.',
  files: { avatar: { description: 'The picture', maxBytes: 5 * MB } },
  tooLarge: 400,
  reply: Type.Object({ avatar_url: Type.String(), message: Type.String() }),
  errors: [503],
  example: { reply: { avatar_url: url, message: 'The picture was stored' } },
});

export const getAvatar = contract('GET /api/files/avatars/{user_id}.jpg', {
  name: 'getAvatar',
  auth: 'none',
  tag: 'Users',
  summary: "A user's picture",
  params: Type.Object({ user_id: UserId }),
  replyType: 'image/jpeg',
  reply: binaryReply,
  errors: [404],
  example: { params: { user_id: userExample.user_id } },
});
