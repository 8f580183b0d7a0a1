import { invalidField } from './errors.ts';

const LONGEST_NAME = 100;

/** Returns the trimmed name; throws 422 for an invalid one. `field` is its name in the request. */
export function checkedName(text: string, field: string): string {
  const name = text.trim().normalize('NFC');
  if (name !== '' && [...name].length <= LONGEST_NAME && !/\p{Cc}/u.test(name)) return name;
  throw invalidField(field, `must have 1 to ${LONGEST_NAME} characters, without line breaks`);
}
