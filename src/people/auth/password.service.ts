import type { BodyOf } from '../../kit/contract.ts';
import { badRequest, invalid } from '../../kit/errors.ts';
import type { Principal } from '../../kit/principal.ts';
import {
  checkPassword,
  type Passwords,
  requireNotAbove,
  type User,
  type Users,
  visibleUser,
} from '../users/index.ts';
import type { CountAttempt } from './attempts.ts';
import { isSignedIn } from './authenticate.ts';
import type { changePassword } from './password.contract.ts';
import type { Sessions } from './sessions.service.ts';

export interface PasswordChangesOptions {
  users: Users;
  passwords: Passwords;
  sessions: Sessions;
  countAttempt: CountAttempt;
}

/** Spec 1 §4.9, §4.10. */
export function createPasswordChanges({ users, passwords, sessions, countAttempt }: PasswordChangesOptions) {
  async function checkCurrent(user: User, password: string | undefined): Promise<void> {
    if (password === undefined) {
      const message = 'is required to change your own password';
      throw invalid(`current_password ${message}`, { errors: [{ field: 'current_password', message }] });
    }
    await countAttempt('password', user.userId);
    const found = await users.findByEmail(user.email);
    if (await passwords.matches(password, found?.passwordHash ?? null)) return;
    throw badRequest('current_password is not your password; nothing was changed', {
      code: 'wrong_password',
    });
  }

  return {
    async change(caller: Principal, userId: string, body: BodyOf<typeof changePassword>): Promise<void> {
      const user = await visibleUser(users, caller, userId);
      requireNotAbove(caller, user);
      checkPassword(body.new_password, 'new_password');
      const isSelf = caller.userId === userId;
      if (isSelf) await checkCurrent(user, body.current_password);
      const changed = await users.setPassword(userId, body.new_password);
      if (isSelf && isSignedIn(caller)) await sessions.carryOver(caller.sessionId, changed);
    },
  };
}

export type PasswordChanges = ReturnType<typeof createPasswordChanges>;
