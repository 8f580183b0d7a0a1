import { type Clock, dayOf, isoTime } from '../../kit/clock.ts';
import { conflict, messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { Principal } from '../../kit/principal.ts';
import type { Mail, Mailer } from '../../platform/mail/mail.ts';
import type { CountAttempt } from '../auth/index.ts';
import type { Invites } from '../invites/index.ts';
import { type Tenants, tenantNotFound } from '../tenants/index.ts';
import type { Users } from '../users/index.ts';
import { deletionMail, keptMail } from './mails.ts';

const GRACE_MS = 30 * 24 * 3_600_000;
/** Longer than a token lives and an unused project stays open, so that nobody works in content that is being removed. */
const SETTLED_MS = 3_600_000;

export interface TenantDeletionOptions {
  tenants: Tenants;
  users: Users;
  invites: Pick<Invites, 'removeAll'>;
  /** Ends what the tenant pays for; may be repeated. Rejects while the billing provider does not answer. */
  stopPayments(tenantId: string): Promise<void>;
  /** Ends what the tenant pays for, and removes what is kept about that. */
  endTenant(tenantId: string): Promise<void>;
  mailer: Mailer;
  countAttempt: CountAttempt;
  clock: Clock;
  log: Log;
}

/** An owner's deletion of the tenant, with 30 days to reconsider (spec 1 §2.7). */
export function createTenantDeletion(options: TenantDeletionOptions) {
  const { tenants, users, invites, endTenant, stopPayments, mailer, countAttempt, clock, log } = options;

  /** Throws 404 for every tenant but the caller's own. */
  function requireOwn({ tenantId }: Principal, asked: string): void {
    if (tenantId !== asked) throw tenantNotFound(asked);
  }

  /** Runs in the background: the owner must not wait for the members' mail servers. */
  function notifyMembers(tenantId: string, mailTo: (email: string) => Mail): void {
    async function notify(): Promise<void> {
      const members = (await users.list(tenantId)).filter(({ isActive }) => isActive);
      for (const { email } of members) await mailer.send(mailTo(email));
    }
    notify().catch((error: unknown) =>
      log.error(
        `not all members could be notified of the deletion of tenant ${tenantId}: ${messageOf(error)}`,
      ),
    );
  }

  /** Ids of tenants whose content is to be removed. */
  const ended = (): Promise<string[]> => tenants.endedBy(isoTime(clock.now() - SETTLED_MS));

  return {
    /**
     * Sets the deletion date unless there is one. 404 for another tenant, 409 for the operator's, 429 after too many: each one mails all
     * members.
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
        notifyMembers(tenantId, (email) => deletionMail(email, name, caller.email, dayOf(deletesAt)));
      }
      return { name, deletesAt };
    },

    /** Cancels the deletion. 404 for another tenant than the caller's. */
    async cancel(caller: Principal, tenantId: string): Promise<{ name: string }> {
      requireOwn(caller, tenantId);
      await countAttempt('mail', caller.userId);
      const { tenant, isChanged } = await tenants.setDeletion(tenantId, null);
      if (isChanged) {
        log.info(`tenant ${tenantId} stays, as user ${caller.userId} asked`);
        notifyMembers(tenantId, (email) => keptMail(email, tenant.name, caller.email));
      }
      return tenant;
    },

    ended,

    /** Nobody pays after access has ended, however long the removal of the content takes. One that fails keeps no other from its turn. */
    async stopPayments(signal: AbortSignal): Promise<void> {
      const problems: string[] = [];
      for (const tenantId of await tenants.endedBy(isoTime(clock.now()))) {
        if (signal.aborted) break;
        await stopPayments(tenantId).catch((error: unknown) => problems.push(messageOf(error)));
      }
      if (problems.length > 0) throw new Error(problems.join('; '));
    },

    /** Removes the rows of a tenant whose content is gone; the tenant's row goes last, so that an interrupted removal is repeated. */
    async forget(tenantId: string): Promise<void> {
      if (!(await ended()).includes(tenantId)) throw tenantNotFound(tenantId);
      await endTenant(tenantId);
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
