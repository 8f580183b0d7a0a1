import { invalid } from '../../kit/errors.ts';

const LONGEST = 254;
const FORM = /^[^\s@<>()[\],;:\\"\p{Cc}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u;

/** The form in which addresses are compared and stored. */
export const normalisedEmail = (text: string): string => text.trim().normalize('NFKC').toLowerCase();

/** The normalised address; throws 422 for an invalid one. */
export function checkedEmail(text: string): string {
  const email = normalisedEmail(text);
  if (email.length <= LONGEST && FORM.test(email) && !email.includes('..')) return email;
  const message = 'must be an e-mail address such as name@example.com';
  throw invalid(`email ${message}`, { code: 'invalid_email', errors: [{ field: 'email', message }] });
}
