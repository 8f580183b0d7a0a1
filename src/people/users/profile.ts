import { invalidField } from '../../kit/errors.ts';

/** The service's own address of a user's avatar. */
export const avatarPath = (userId: string): string => `/api/files/avatars/${userId}.jpg`;

/** Throws 422 for an address that other users' browsers must not load. */
export function checkedAvatarUrl(text: string, userId: string): string {
  if (text === avatarPath(userId)) return text;
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return url.href;
  throw invalidField('avatar_url', `must be an https address or ${avatarPath(userId)}`);
}
