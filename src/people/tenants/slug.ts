import { randomBytes } from 'node:crypto';
import { invalidField } from '../../kit/errors.ts';
import { asciiWords } from '../../text/letters.ts';

const FORM = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** 422 for an invalid slug. */
export function checkedSlug(text: string): string {
  if (FORM.test(text)) return text;
  throw invalidField(
    'slug',
    'must have 1 to 63 lower-case letters, digits and inner dashes, such as my-studio',
  );
}

/** A new slug from the name, made unique by a random ending. */
export function slugFor(name: string): string {
  const words = asciiWords(name, '-').slice(0, 40);
  return [words.replace(/-+$/, ''), randomBytes(4).toString('hex')].filter((part) => part !== '').join('-');
}
