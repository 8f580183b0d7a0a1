import { defineModule } from '../../frame/module.ts';
import { dayOf } from '../../kit/clock.ts';
import { callerOf } from '../../kit/principal.ts';
import { type Route, route } from '../../kit/route.ts';
import { type AccountsContext, accountsModule } from '../accounts/index.ts';
import { tenantsModule } from '../tenants/index.ts';
import { peopleModule } from '../users/index.ts';
import { deleteTenant, forgetTenant, keepTenant, listEndedTenants } from './deletion.contract.ts';
import { createTenantDeletion, type TenantDeletion, type TenantDeletionOptions } from './deletion.service.ts';

/** The cores' address of a project as a zip. */
const EXPORT_URL = '/api/export/archive';

export type DeletionContext = AccountsContext & Pick<TenantDeletionOptions, 'endTenant'>;

/** Tenant deletion: the accounts service's part. */
export const tenantDeletionModule = defineModule({
  name: 'tenant-deletion',
  uses: { people: peopleModule, tenants: tenantsModule, accounts: accountsModule },
  create({ mailer, clock, log, endTenant }: DeletionContext, { people: { users }, tenants, accounts }) {
    const { invites, identity } = accounts;
    const countAttempt = identity.attempts.count;
    return {
      routes: deletionRoutes(
        createTenantDeletion({
          tenants,
          users,
          invites,
          endTenant,
          mailer,
          countAttempt,
          clock,
          log: log.child('tenants'),
        }),
      ),
    };
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
