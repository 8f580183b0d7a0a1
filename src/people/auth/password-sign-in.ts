import { unauthorized } from '../../kit/errors.ts';
import { normalisedEmail, type Passwords, type User, type Users } from '../users/index.ts';
import type { Attempts } from './attempts.ts';

export interface PasswordSignInOptions {
  users: Users;
  passwords: Passwords;
  attempts: Attempts;
}

export interface Credentials {
  email: string;
  password: string;
}

/** Finds the user. Neither the reply nor the work reveals if the address has an account. 401, or 429 after too many attempts. */
export type PasswordSignIn = (credentials: Credentials, address: string) => Promise<User>;

export const createPasswordSignIn =
  ({ users, passwords, attempts }: PasswordSignInOptions): PasswordSignIn =>
  async ({ email, password }, address) => {
    const account = normalisedEmail(email);
    await attempts.countSignIn(account, address);
    const found = await users.findByEmail(account);
    const matches = await passwords.matches(password, found?.passwordHash ?? null);
    if (!found?.user.isActive || !matches) throw wrongCredentials();
    await attempts.noteOwner(account, address);
    return found.user;
  };

const wrongCredentials = () =>
  unauthorized('The e-mail address or the password is wrong', { code: 'invalid_credentials' });
