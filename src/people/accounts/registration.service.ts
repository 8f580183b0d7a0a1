import { checkedName } from '../../kit/checked-name.ts';
import type { Clock } from '../../kit/clock.ts';
import type { BodyOf } from '../../kit/contract.ts';
import { HttpError, messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { SecretBox } from '../../kit/secret-box.ts';
import type { Mailer } from '../../platform/mail/mail.ts';
import type { CountAttempt } from '../auth/index.ts';
import { checkedEmail, checkPassword, type Passwords, type User, type Users } from '../users/index.ts';
import type { registerAccount } from './accounts.contract.ts';
import type { AccountsService, AccountTokens } from './accounts.service.ts';
import { knownAddressMail, registrationMail } from './mails.ts';

const LIFETIME_MS = 3 * 24 * 3_600_000;
const PREFIX = 'cnrr_';
const CONTEXT = 'registration';

export interface RegistrationOptions {
  users: Users;
  passwords: Passwords;
  accounts: Pick<AccountsService, 'openAccount' | 'openFirst' | 'refuseWhenClosed' | 'signIn'>;
  /** Asks the owner of the first account to verify the address. */
  askToVerify: (user: User) => void;
  mailer: Mailer;
  box: SecretBox;
  clock: Clock;
  log: Log;
  countAttempt: CountAttempt;
  /** Base address of links in mail. */
  publicUrl: string;
}

/** A registration whose address is not confirmed yet. */
interface Registration {
  email: string;
  passwordHash: string;
  displayName?: string | undefined;
  tenantName?: string | undefined;
  /** Milliseconds since the epoch. */
  until: number;
}

type Names = Pick<Registration, 'displayName' | 'tenantName'>;

/** A blank name counts as none. Invalid names are refused now: after the link in the mail it would be too late. */
function namesOf({ display_name, tenant_name }: BodyOf<typeof registerAccount>): Names {
  return {
    displayName: display_name?.trim() ? checkedName(display_name, 'display_name') : undefined,
    tenantName: tenant_name?.trim() ? checkedName(tenant_name, 'tenant_name') : undefined,
  };
}

export const isRegistrationToken = (token: string): boolean => token.startsWith(PREFIX);

/**
 * Open registration. The reply does not reveal whether an address has an account: the next step is in a mail to it, whose token
 * holds the sealed registration. Nothing is stored about unconfirmed addresses.
 */
export function createRegistration(options: RegistrationOptions) {
  const { users, passwords, accounts, mailer, box, clock, log, countAttempt, publicUrl } = options;

  function tokenFor(registration: Omit<Registration, 'until'>): string {
    const text = JSON.stringify({ ...registration, until: clock.now() + LIFETIME_MS });
    return PREFIX + box.seal(text, CONTEXT);
  }

  /** Null for a token that is not ours or has expired. */
  function registrationIn(token: string): Registration | null {
    try {
      const found: Registration = JSON.parse(box.open(token.slice(PREFIX.length), CONTEXT));
      return found.until > clock.now() ? found : null;
    } catch {
      return null;
    }
  }

  async function sendMail(registration: Omit<Registration, 'until'>): Promise<void> {
    const { email } = registration;
    const found = await users.findByEmail(email);
    const link = `${publicUrl}/api/auth/verify?token=${tokenFor(registration)}`;
    if (found === null) return mailer.send(registrationMail(email, link));
    if (found.user.isActive) return mailer.send(knownAddressMail(email, publicUrl));
  }

  async function ask(address: string, password: string, names: Names): Promise<string> {
    const email = checkedEmail(address);
    checkPassword(password);
    await countAttempt('mail', email);
    const passwordHash = await passwords.hash(password);
    sendMail({ email, passwordHash, ...names }).catch((error: unknown) =>
      log.error(`the mail to somebody who registered was not sent: ${messageOf(error)}`),
    );
    return email;
  }

  return {
    /** Returns tokens for the installation's first account; for everybody else the address that a mail was sent to. */
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

    /** The registration's address, with the account if it exists by now; null for an invalid token. */
    async look(token: string): Promise<{ email: string; user: User | null } | null> {
      const registration = registrationIn(token);
      if (registration === null) return null;
      const { email } = registration;
      return { email, user: (await users.findByEmail(email))?.user ?? null };
    },

    /** Creates the account, or verifies the address of one that was created meanwhile. Null for an invalid token. */
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
