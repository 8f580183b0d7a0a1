import { randomBytes } from 'node:crypto';
import { invalid } from '../../kit/errors.ts';
import { asciiWords } from '../../text/letters.ts';

const LONGEST_NAME = 100;
const FORM = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Returns the trimmed tenant name; throws 422 for an invalid one. `field` is its name in the request. */
export function checkedName(text: string, field = 'name'): string {
  const name = text.trim().normalize('NFC');
  if (name !== '' && [...name].length <= LONGEST_NAME && !/\p{Cc}/u.test(name)) return name;
  throw refusal(field, `must have 1 to ${LONGEST_NAME} characters, without line breaks`);
}

/** 422 for an invalid slug. */
export function checkedSlug(text: string): string {
  if (FORM.test(text)) return text;
  throw refusal('slug', 'must have 1 to 63 lower-case letters, digits and inner dashes, such as my-studio');
}

/** A new slug from the name, made unique by a random ending. */
export function slugFor(name: string): string {
  const words = asciiWords(name, '-').slice(0, 40);
  return [words.replace(/-+$/, ''), randomBytes(4).toString('hex')].filter((part) => part !== '').join('-');
}

function refusal(field: string, message: string) {
  return invalid(`${field} ${message}`, { code: `invalid_${field}`, errors: [{ field, message }] });
}
