import { invalid } from '../../kit/errors.ts';

const LONGEST_NAME = 100;

/** The service's own address of a user's avatar. */
export const avatarPath = (userId: string): string => `/api/files/avatars/${userId}.jpg`;

/** The trimmed display name; throws 422 for an invalid one. */
export function checkedDisplayName(text: string): string {
  const name = text.trim().normalize('NFC');
  if (name !== '' && [...name].length <= LONGEST_NAME && !/\p{Cc}/u.test(name)) return name;
  throw refusal('display_name', `must have 1 to ${LONGEST_NAME} characters, without line breaks`);
}

/** Throws 422 for an address that other users' browsers must not load. */
export function checkedAvatarUrl(text: string, userId: string): string {
  if (text === avatarPath(userId)) return text;
  const url = URL.parse(text);
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return url.href;
  throw refusal('avatar_url', `must be an https address or ${avatarPath(userId)}`);
}

function refusal(field: string, message: string) {
  return invalid(`${field} ${message}`, { code: `invalid_${field}`, errors: [{ field, message }] });
}
