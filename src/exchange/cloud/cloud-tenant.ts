import type { CloudLink } from './links.service.ts';

interface Known {
  url: string;
  token: string;
  cloudTenant: string;
}

/** Whose content a token reaches, by the cloud's own word; it is asked once for each token. */
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
