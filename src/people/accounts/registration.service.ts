import type { Clock } from '../../kit/clock.ts';
import type { BodyOf } from '../../kit/contract.ts';
import { HttpError, messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { SecretBox } from '../../kit/secret-box.ts';
import type { Mailer } from '../../platform/mail/mail.ts';
import type { CountAttempt } from '../auth/index.ts';
import { checkedName } from '../tenants/index.ts';
import {
  checkedDisplayName,
  checkedEmail,
  checkPassword,
  type Passwords,
  type User,
  type Users,
} from '../users/index.ts';
import type { registerAccount } from './accounts.contract.ts';
import type { AccountsService, AccountTokens } from './accounts.service.ts';
import { knownAddressLetter, registrationLetter } from './letters.ts';

const LIFETIME_MS = 3 * 24 * 3_600_000;
const PREFIX = 'cnrr_';
const CONTEXT = 'registration';

export interface RegistrationOptions {
  users: Users;
  passwords: Passwords;
  accounts: Pick<AccountsService, 'openAccount' | 'openFirst' | 'refuseWhenClosed' | 'signIn'>;
  /** Asks the first of all whether the address is theirs. */
  askToVerify: (user: User) => void;
  mailer: Mailer;
  box: SecretBox;
  clock: Clock;
  log: Log;
  countAttempt: CountAttempt;
  /** Where links in mail lead. */
  publicUrl: string;
}

/** Somebody who asked for an account and has yet to show that the address is theirs. */
interface Registration {
  email: string;
  passwordHash: string;
  displayName?: string | undefined;
  tenantName?: string | undefined;
  /** Milliseconds since the epoch. */
  until: number;
}

type Names = Pick<Registration, 'displayName' | 'tenantName'>;

/** A blank name is none. What nobody can be called is refused now: behind the link of the mail it would be too late. */
function namesOf({ display_name, tenant_name }: BodyOf<typeof registerAccount>): Names {
  return {
    displayName: display_name?.trim() ? checkedDisplayName(display_name) : undefined,
    tenantName: tenant_name?.trim() ? checkedName(tenant_name, 'tenant_name') : undefined,
  };
}

export const isRegistrationToken = (token: string): boolean => token.startsWith(PREFIX);

/**
 * Registering where anybody may. What is answered tells nobody who has an account: a mail to the address leads on. It
 * holds the registration itself, sealed, so that nothing is kept of addresses that nobody confirms.
 */
export function createRegistration(options: RegistrationOptions) {
  const { users, passwords, accounts, mailer, box, clock, log, countAttempt, publicUrl } = options;

  function tokenFor(registration: Omit<Registration, 'until'>): string {
    const text = JSON.stringify({ ...registration, until: clock.now() + LIFETIME_MS });
    return PREFIX + box.seal(text, CONTEXT);
  }

  /** Null for a token that is not of ours, or too old. */
  function registrationIn(token: string): Registration | null {
    try {
      const found: Registration = JSON.parse(box.open(token.slice(PREFIX.length), CONTEXT));
      return found.until > clock.now() ? found : null;
    } catch {
      return null;
    }
  }

  async function sendLetter(registration: Omit<Registration, 'until'>): Promise<void> {
    const { email } = registration;
    const found = await users.findByEmail(email);
    const link = `${publicUrl}/api/auth/verify?token=${tokenFor(registration)}`;
    if (found === null) return mailer.send(registrationLetter(email, link));
    if (found.user.isActive) return mailer.send(knownAddressLetter(email, publicUrl));
  }

  async function ask(address: string, password: string, names: Names): Promise<string> {
    const email = checkedEmail(address);
    checkPassword(password);
    await countAttempt('mail', email);
    const passwordHash = await passwords.hash(password);
    sendLetter({ email, passwordHash, ...names }).catch((error: unknown) =>
      log.error(`the mail to somebody who registered was not sent: ${messageOf(error)}`),
    );
    return email;
  }

  return {
    /** Tokens for the first account of the installation; the address that a mail is on its way to for everybody else. */
    async register(body: BodyOf<typeof registerAccount>): Promise<AccountTokens | { email: string }> {
      const { email, password } = body;
      const names = namesOf(body);
      const first = await accounts.openFirst({ email, password, ...names });
      if (first !== null) {
        options.askToVerify(first);
        return accounts.signIn(first);
      }
      await accounts.refuseWhenClosed();
      return { email: await ask(email, password, names) };
    },

    /** Who registered, with the account once there is one; null for a token that is not good. */
    async look(token: string): Promise<{ email: string; user: User | null } | null> {
      const registration = registrationIn(token);
      if (registration === null) return null;
      const { email } = registration;
      return { email, user: (await users.findByEmail(email))?.user ?? null };
    },

    /** Makes the account, or verifies the address of one that was made meanwhile. Null for a token that is not good. */
    async confirm(token: string): Promise<User | null> {
      const registration = registrationIn(token);
      if (registration === null) return null;
      const { until: _, ...input } = registration;
      try {
        return await accounts.openAccount({ ...input, password: null, emailVerified: true });
      } catch (error) {
        const found = await users.findByEmail(input.email);
        if (!(error instanceof HttpError && error.status === 409) || found === null) throw error;
        return users.verifyEmail(found.user.userId, input.email);
      }
    },
  };
}

export type Registrations = ReturnType<typeof createRegistration>;
