import bcrypt from 'bcrypt';
import { invalid, unavailable } from '../../kit/errors.ts';
import { createQueue } from '../../kit/queue.ts';

const COST = 12;
/** bcrypt ignores further bytes. */
const MOST_BYTES = 72;
const FEWEST_CHARACTERS = 8;

export interface PasswordOptions {
  /** Each step doubles the time; tests lower it. */
  cost?: number;
  /** Hashes that run at the same time; the others wait. */
  atOnce?: number;
  /** With more waiting, callers are asked to come back later. */
  mostWaiting?: number;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes the same time for a wrong password and for a missing account, with null as the hash. */
  matches(password: string, hash: string | null): Promise<boolean>;
}

/** Matches a visible character, so neither a blank nor one without a shape, such as U+200B. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}]/u;

const isTooLong = (password: string): boolean => Buffer.byteLength(password) > MOST_BYTES;

/** Throws 422 for a password that is not allowed; `field` is its name in the request. */
export function checkPassword(password: string, field = 'password'): void {
  const message =
    [...password].length < FEWEST_CHARACTERS
      ? `must have ${FEWEST_CHARACTERS} characters or more`
      : isTooLong(password)
        ? `must have ${MOST_BYTES} bytes or fewer`
        : password.includes('\0')
          ? 'must not contain a NUL character'
          : !VISIBLE.test(password)
            ? 'must not be blank'
            : null;
  if (message !== null)
    throw invalid(`${field} ${message}`, { code: 'invalid_password', errors: [{ field, message }] });
}

/** bcrypt off the main thread, a few hashes at a time. */
export function createPasswords({
  cost = COST,
  atOnce = 2,
  mostWaiting = 100,
}: PasswordOptions = {}): Passwords {
  const queue = createQueue({
    atOnce,
    mostWaiting,
    whenFull: () => unavailable('Too many people sign in at this moment: try again shortly'),
  });
  let standIn: Promise<string> | null = null;
  return {
    hash: (password) => queue(() => bcrypt.hash(password, cost)),
    matches: (password, hash) =>
      queue(async () => {
        standIn ??= bcrypt.hash('nobody has this password', cost);
        const against = hash ?? (await standIn);
        const equal = await bcrypt.compare(password, against);
        return equal && hash !== null && !isTooLong(password);
      }),
  };
}
