import type { CloudLink } from './links.service.ts';

interface Known {
  url: string;
  token: string;
  cloudTenant: string;
}

/** Asks the cloud once per token which tenant it belongs to. */
export function createCloudTenants() {
  const latest = new Map<string, Known>();
  return async (
    tenantId: string,
    { url, token }: Pick<CloudLink, 'url'> & { token: string },
    ask: () => Promise<{ tenant_id: string }>,
  ): Promise<string> => {
    const known = latest.get(tenantId);
    if (known?.url === url && known.token === token) return known.cloudTenant;
    const { tenant_id: cloudTenant } = await ask();
    latest.set(tenantId, { url, token, cloudTenant });
    return cloudTenant;
  };
}
