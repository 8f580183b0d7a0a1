import { defineModule } from '../../frame/module.ts';
import { dayOf } from '../../kit/clock.ts';
import { callerOf } from '../../kit/principal.ts';
import { createRegularWork } from '../../kit/regular-work.ts';
import { type Route, route } from '../../kit/route.ts';
import { unlessBusy } from '../../platform/database/unless-busy.ts';
import { type AccountsContext, accountsModule } from '../accounts/index.ts';
import { tenantsModule } from '../tenants/index.ts';
import { peopleModule } from '../users/index.ts';
import { deleteTenant, forgetTenant, keepTenant, listEndedTenants } from './deletion.contract.ts';
import { createTenantDeletion, type TenantDeletion, type TenantDeletionOptions } from './deletion.service.ts';

/** The cores' address of a project as a zip. */
const EXPORT_URL = '/api/export/archive';
const STOP_PAYMENTS_EVERY_MS = 20_000;

export type DeletionContext = AccountsContext & Pick<TenantDeletionOptions, 'endTenant' | 'stopPayments'>;

/** Tenant deletion: the accounts service's part. */
export const tenantDeletionModule = defineModule({
  name: 'tenant-deletion',
  uses: { people: peopleModule, tenants: tenantsModule, accounts: accountsModule },
  create(context: DeletionContext, { people: { users }, tenants, accounts: { invites, identity } }) {
    const { database, mailer, clock, endTenant, stopPayments } = context;
    const log = context.log.child('tenants');
    const countAttempt = identity.attempts.count;
    const options = { tenants, users, invites, endTenant, stopPayments, mailer, countAttempt, clock, log };
    const deletion = createTenantDeletion(options);
    const { start, stop } = createRegularWork({
      what: 'the end of payments of deleted tenants',
      everyMs: STOP_PAYMENTS_EVERY_MS,
      log,
      work: (signal) =>
        unlessBusy(database.system, 'payments of ended tenants', () => deletion.stopPayments(signal)),
    });
    return { routes: deletionRoutes(deletion), start, stop };
  },
});

const deletionRoutes = (deletion: TenantDeletion): Route[] => [
  route(deleteTenant, async (request) => {
    const { tenant_id } = request.params;
    const { name, deletesAt } = await deletion.begin(callerOf(request), tenant_id);
    return {
      tenant_id,
      deletes_at: deletesAt,
      export_url: EXPORT_URL,
      message: `${name} will be deleted on ${dayOf(deletesAt)}. Until then you can download your projects, or keep the tenant`,
    };
  }),
  route(keepTenant, async (request) => {
    const { tenant_id } = request.params;
    const { name } = await deletion.cancel(callerOf(request), tenant_id);
    return { tenant_id, deletes_at: null, message: `${name} stays` };
  }),
  route(listEndedTenants, async () => ({ tenant_ids: await deletion.ended() })),
  route(forgetTenant, async ({ params }) => {
    await deletion.forget(params.tenant_id);
    return null;
  }),
];
