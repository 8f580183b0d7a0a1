import { type Static, Type } from 'typebox';
import { createSettings, defineSettings } from '../../frame/settings/index.ts';

const schema = Type.Object({
  allowed: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 1_000 })),
});
const policySettings = defineSettings({ name: 'plugin-policy', scope: 'tenant', schema, secrets: [] });

/** Which plugins a tenant allows in its projects; null for any. */
export function createPluginPolicy(options: Parameters<typeof createSettings>[1]) {
  const settings = createSettings(policySettings, options);
  const allowedIn = (values: Static<typeof schema> | undefined): string[] | null => values?.allowed ?? null;
  return {
    allowed: async (tenantId: string): Promise<string[] | null> =>
      allowedIn((await settings.get({ tenantId }))?.values),
    async set(tenantId: string, allowed: string[] | null, actor: string): Promise<string[] | null> {
      const change = { patch: { allowed: allowed && [...new Set(allowed)].sort() }, actor };
      return allowedIn((await settings.change({ tenantId }, change)).values);
    },
  };
}

export type PluginPolicy = ReturnType<typeof createPluginPolicy>;
