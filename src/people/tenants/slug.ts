import { randomBytes } from 'node:crypto';
import { invalid } from '../../kit/errors.ts';
import { asciiWords } from '../../text/letters.ts';

const LONGEST_NAME = 100;
const FORM = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The name of a tenant, trimmed; throws 422 for what cannot be one. `field` is its name in the request. */
export function checkedName(text: string, field = 'name'): string {
  const name = text.trim().normalize('NFC');
  if (name !== '' && [...name].length <= LONGEST_NAME && !/\p{Cc}/u.test(name)) return name;
  throw refusal(field, `must have 1 to ${LONGEST_NAME} characters, without line breaks`);
}

/** Throws 422 for what cannot be a slug. */
export function checkedSlug(text: string): string {
  if (FORM.test(text)) return text;
  throw refusal('slug', 'must have 1 to 63 lower-case letters, digits and inner dashes, such as my-studio');
}

/** A slug that nobody has: of the name, with a random end. */
export function slugFor(name: string): string {
  const words = asciiWords(name, '-').slice(0, 40);
  return [words.replace(/-+$/, ''), randomBytes(4).toString('hex')].filter((part) => part !== '').join('-');
}

function refusal(field: string, message: string) {
  return invalid(`${field} ${message}`, { code: `invalid_${field}`, errors: [{ field, message }] });
}
