import { notFound } from '../../kit/errors.ts';
import { type Route, route } from '../../kit/route.ts';
import { getDesktopPresence, listEditing, listPresence, listTenantPresence } from './presence.contract.ts';
import { type Presence, peopleOf } from './presence.service.ts';

export function presenceRoutes({ list }: Pick<Presence, 'list'>): Route[] {
  const people = async (tenantId: string) => {
    const users = peopleOf(await list(tenantId));
    return { users, total: users.length };
  };
  return [
    route(listPresence, ({ tenantId }) => people(tenantId)),
    route(listEditing, async ({ tenantId }) => {
      const editing = (await list(tenantId)).filter(({ status }) => status === 'editing');
      return { editing, total: editing.length };
    }),
    route(listTenantPresence, ({ params, tenantId }) => {
      if (params.tenant_id === tenantId) return people(tenantId);
      throw notFound(`There is no tenant '${params.tenant_id}'`, { code: 'no_such_tenant' });
    }),
    route(getDesktopPresence, async ({ tenantId }) => {
      const sessions = (await list(tenantId)).filter(({ client }) => client === 'desktop');
      return { online: sessions.length > 0, sessions };
    }),
  ];
}
