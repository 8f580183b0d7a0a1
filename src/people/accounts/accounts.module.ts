import type { Base } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import { derivedSecret } from '../../kit/secret-box.ts';
import type { Mailer } from '../../platform/mail/mail.ts';
import {
  type CountAttempt,
  createIdentity,
  createPasswordResetMail,
  createPasswordResetRequests,
  createPasswordResets,
  createPasswordSignIn,
  passwordResetRoutes,
  publishedKeys,
  type SessionCookies,
} from '../auth/index.ts';
import { PASSWORD_TAG } from '../auth/password-resets.contract.ts';
import { WEB_TAGS } from '../auth/web.contract.ts';
import { createInvites } from '../invites/index.ts';
import { createSigningKeys, signingKeyMigrations } from '../signing-keys/index.ts';
import { tenantsModule } from '../tenants/index.ts';
import { peopleModule, type Users } from '../users/index.ts';
import { accountRoutes } from './accounts.routes.ts';
import { createAccountsService } from './accounts.service.ts';
import { createEmailVerification } from './email-verification.service.ts';
import { memberRoutes } from './members.routes.ts';
import { createMembers, createSeatCheck } from './members.service.ts';
import { recoveryRoutes } from './recovery.routes.ts';
import { createRegistration } from './registration.service.ts';
import { subscriptionRoutes } from './subscription.routes.ts';

export interface AccountsContext extends Base {
  mailer: Mailer;
  sessionCookies: SessionCookies;
  /** The address for browsers, used for links in mail. */
  publicUrl: string;
}

/** Accounts of many tenants: sign-in, and the tokens that every surface accepts. */
export const accountsModule = defineModule({
  name: 'accounts',
  tags: {
    Accounts: 'Register, sign in, stay signed in, sign out: accounts of all tenants.',
    Members: 'Who belongs to a tenant and as what: invitations, roles, closed accounts.',
    ...WEB_TAGS,
    ...PASSWORD_TAG,
  },
  uses: { people: peopleModule, tenants: tenantsModule },
  tables: signingKeyMigrations,
  create(context: AccountsContext, { people, tenants }) {
    const { database, clock, config, box, log, mailer, sessionCookies, publicUrl } = context;
    const { users, passwords } = people;
    const signingKeys = createSigningKeys({ database, box, clock });
    const identity = createIdentity({
      ...context,
      users,
      keys: publishedKeys(signingKeys),
      refreshSecret: derivedSecret(config.encryptionKey, 'refresh tokens'),
      planOf: tenants.find,
    });
    const { attempts } = identity;
    const byMail = { users, mailer, clock, log, countAttempt: attempts.count, publicUrl };
    const { verification, resets, requestReset } = createRecovery(byMail, context);
    const accounts = createAccountsService({
      users,
      signInByPassword: createPasswordSignIn({ users, passwords, attempts }),
      tenants,
      identity,
      registration: config.registration,
    });
    const registrations = createRegistration({
      ...byMail,
      passwords,
      accounts,
      askToVerify: verification.ask,
      box,
    });
    const invites = createInvites({
      database,
      users,
      clock,
      registration: config.registration,
      admit: createSeatCheck(
        { users, tenants },
        'The invitation stays good: use it again once a seat is free',
      ),
      mayInviteFrom: tenants.isOperator,
    });
    const members = createMembers({ ...byMail, tenants, invites });
    return {
      service: {
        accounts,
        identity,
        invites,
        /** Throws if the tenant has no seat for an account that is being reopened. */
        admitAgain: createSeatCheck({ users, tenants }, 'Deactivate or delete another account first'),
      },
      routes: [
        ...accountRoutes({ accounts, registrations, identity, signingKeys, sessionCookies }),
        ...passwordResetRoutes({ resets, attempts }),
        ...recoveryRoutes({ requestReset, verification, registrations }),
        ...memberRoutes({ accounts, members, invites, tenants }),
        ...subscriptionRoutes({ users, tenants }),
      ],
    };
  },
});

interface ByMail {
  users: Users;
  mailer: Mailer;
  clock: Clock;
  log: Log;
  countAttempt: CountAttempt;
  publicUrl: string;
}

/** Verified addresses and forgotten passwords. */
function createRecovery(byMail: ByMail, { database, config }: AccountsContext) {
  const resets = createPasswordResets({ ...byMail, database });
  const linkFor = (token: string) => `${byMail.publicUrl}/reset-password?token=${token}`;
  return {
    verification: createEmailVerification({
      ...byMail,
      secret: derivedSecret(config.encryptionKey, 'verification of addresses'),
    }),
    resets,
    requestReset: createPasswordResetRequests({
      ...byMail,
      send: createPasswordResetMail({ ...byMail, resets, linkFor }),
    }),
  };
}
