import { Type } from 'typebox';
import { PERMISSIONS } from '../../access/plans.ts';
import { contract, noReply } from '../../kit/contract.ts';
import { named } from '../../kit/schemas.ts';

const TAG = 'Tenants';
const TenantId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' });
const tenantId = '0b7c5f1e-8f57-4a53-9d2b-3a3f0f6d2c11';

export const deleteTenant = contract('DELETE /api/tenants/{tenant_id}', {
  name: 'deleteTenant',
  peopleOnly: true,
  auth: 'bearer',
  role: PERMISSIONS.delete_tenant,
  tag: TAG,
  summary: 'Delete your own tenant, 30 days from now',
  description:
    "For the tenant's owners. Until then nothing changes: everybody works on, each project can be taken along by `GET /api/export/archive`, and an owner may take it back by `POST /api/tenants/{tenant_id}/keep`. All members get a mail. A subscription goes on until then and ends with the access; nothing is paid back. On the day access ends, and within hours content, accounts and settings are removed for good; what lies in storage of the tenant's own stays there. Asking again changes nothing. 409 for the tenant that runs the installation.",
  params: Type.Object({ tenant_id: TenantId }),
  reply: Type.Object({
    tenant_id: Type.String(),
    deletes_at: Type.String({ description: 'When access ends' }),
    export_url: Type.String({ description: 'Where a project is available as a zip until then' }),
    message: Type.String(),
  }),
  errors: [403, 404, 409],
  example: {
    params: { tenant_id: tenantId },
    reply: {
      tenant_id: tenantId,
      deletes_at: '2026-04-03T05:06:07.890Z',
      export_url: '/api/export/archive',
      message:
        'Studio Mara will be deleted on 2026-04-03. Until then you can download your projects, or keep the tenant',
    },
  },
});

export const keepTenant = contract('POST /api/tenants/{tenant_id}/keep', {
  name: 'keepTenant',
  peopleOnly: true,
  auth: 'bearer',
  role: PERMISSIONS.delete_tenant,
  tag: TAG,
  summary: 'Keep a tenant that was to be deleted',
  description:
    'Possible until access ends. All members get a mail. A tenant that is not to be deleted stays as it is.',
  params: Type.Object({ tenant_id: TenantId }),
  reply: Type.Object({ tenant_id: Type.String(), deletes_at: Type.Null(), message: Type.String() }),
  errors: [403, 404],
  example: {
    params: { tenant_id: tenantId },
    reply: { tenant_id: tenantId, deletes_at: null, message: 'Studio Mara stays' },
  },
});

export const listEndedTenants = contract('GET /internal/ended-tenants', {
  name: 'listEndedTenants',
  auth: 'service',
  tag: 'Between services',
  summary: 'Tenants whose content is to be removed',
  description:
    'Their access ended over an hour ago, so no token of theirs is good and no project of theirs in use. They are told until somebody says that the content is gone.',
  reply: named('EndedTenants', { tenant_ids: Type.Array(TenantId) }),
  example: { reply: { tenant_ids: [tenantId] } },
});

export const forgetTenant = contract('DELETE /internal/ended-tenants/{tenant_id}', {
  name: 'forgetTenant',
  auth: 'service',
  tag: 'Between services',
  summary: "Says that a tenant's content is gone",
  description:
    'Removes its accounts, invitations and the tenant. 404 for one that is not among the ended ones.',
  params: Type.Object({ tenant_id: TenantId }),
  reply: noReply,
  status: 204,
  errors: [404],
  example: { params: { tenant_id: tenantId }, reply: null },
});
