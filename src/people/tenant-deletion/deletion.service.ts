import { type Clock, dayOf, isoTime } from '../../kit/clock.ts';
import { conflict, messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { Principal } from '../../kit/principal.ts';
import type { Letter, Mailer } from '../../platform/mail/mail.ts';
import type { CountAttempt } from '../auth/index.ts';
import type { Invites } from '../invites/index.ts';
import { type Tenants, tenantNotFound } from '../tenants/index.ts';
import type { Users } from '../users/index.ts';
import { deletionLetter, keptLetter } from './letters.ts';

const GRACE_MS = 30 * 24 * 3_600_000;
/** Longer than a token is good and than a project stays open that nobody uses, so that nobody works in what is removed. */
const SETTLED_MS = 3_600_000;

export interface TenantDeletionOptions {
  tenants: Tenants;
  users: Users;
  invites: Pick<Invites, 'removeAll'>;
  mailer: Mailer;
  countAttempt: CountAttempt;
  clock: Clock;
  log: Log;
}

/** The last permission of an owner: a tenant goes, with 30 days to think again (spec 1 §2.7). */
export function createTenantDeletion(options: TenantDeletionOptions) {
  const { tenants, users, invites, mailer, countAttempt, clock, log } = options;

  /** Throws 404 for every tenant but the caller's own. */
  function requireOwn({ tenantId }: Principal, asked: string): void {
    if (tenantId !== asked) throw tenantNotFound(asked);
  }

  /** In the background: the members' mail servers are nothing that an owner waits for. */
  function tellMembers(tenantId: string, letterTo: (email: string) => Letter): void {
    async function tell(): Promise<void> {
      const members = (await users.list(tenantId)).filter(({ isActive }) => isActive);
      for (const { email } of members) await mailer.send(letterTo(email));
    }
    tell().catch((error: unknown) =>
      log.error(`not all members were told of the deletion of tenant ${tenantId}: ${messageOf(error)}`),
    );
  }

  /** Ids of tenants whose content is to be removed. */
  const ended = (): Promise<string[]> => tenants.endedBy(isoTime(clock.now() - SETTLED_MS));

  return {
    /**
     * Sets the day, unless it is set. 404 for a tenant that is not the caller's, 409 for the one that runs the
     * installation. 429 after too many: each one mails all members.
     */
    async begin(caller: Principal, tenantId: string): Promise<{ name: string; deletesAt: string }> {
      requireOwn(caller, tenantId);
      if (await tenants.isOperator(tenantId)) throw runsInstallation();
      const asked = isoTime(clock.now() + GRACE_MS);
      await countAttempt('mail', caller.userId);
      const { tenant, isChanged } = await tenants.setDeletion(tenantId, asked);
      const { name } = tenant;
      const deletesAt = tenant.deletesAt ?? asked;
      if (isChanged) {
        log.info(`tenant ${tenantId} will be deleted on ${deletesAt}, as user ${caller.userId} asked`);
        tellMembers(tenantId, (email) => deletionLetter(email, name, caller.email, dayOf(deletesAt)));
      }
      return { name, deletesAt };
    },

    /** Calls it off. 404 for a tenant that is not the caller's. */
    async callOff(caller: Principal, tenantId: string): Promise<{ name: string }> {
      requireOwn(caller, tenantId);
      await countAttempt('mail', caller.userId);
      const { tenant, isChanged } = await tenants.setDeletion(tenantId, null);
      if (isChanged) {
        log.info(`tenant ${tenantId} stays, as user ${caller.userId} asked`);
        tellMembers(tenantId, (email) => keptLetter(email, tenant.name, caller.email));
      }
      return tenant;
    },

    ended,

    /** Removes what is left of a tenant whose content is gone; the tenant last, so that it is told until all is done. */
    async forget(tenantId: string): Promise<void> {
      if (!(await ended()).includes(tenantId)) throw tenantNotFound(tenantId);
      await invites.removeAll(tenantId);
      await users.removeAll(tenantId);
      await tenants.remove(tenantId);
      log.info(`tenant ${tenantId} is deleted`);
    },
  };
}

export type TenantDeletion = ReturnType<typeof createTenantDeletion>;

const runsInstallation = () =>
  conflict(
    'This tenant runs the installation and cannot be deleted: stop the service and remove its folders instead',
    { code: 'runs_installation' },
  );
