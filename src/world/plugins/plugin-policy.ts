import { type Static, Type } from 'typebox';
import { createSettings, defineSettings } from '../../frame/settings/index.ts';
import { forbidden } from '../../kit/errors.ts';

const schema = Type.Object({
  allowed: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 1_000 })),
});
const policySettings = defineSettings({ name: 'plugin-policy', scope: 'tenant', schema, secrets: [] });

/** The plugins that a tenant allows in its projects; null for any. */
export function createPluginPolicy(options: Parameters<typeof createSettings>[1]) {
  const settings = createSettings(policySettings, options);
  const allowedIn = (values: Static<typeof schema> | undefined): string[] | null => values?.allowed ?? null;
  const allowed = async (tenantId: string): Promise<string[] | null> =>
    allowedIn((await settings.get({ tenantId }))?.values);
  return {
    allowed,
    /** 403 for a plugin that it leaves out. */
    async requireAllowed(tenantId: string, pluginId: string): Promise<void> {
      const list = await allowed(tenantId);
      if (list !== null && !list.includes(pluginId)) throw notAllowed(pluginId);
    },
    async set(tenantId: string, list: string[] | null, actor: string): Promise<string[] | null> {
      const change = { patch: { allowed: list && [...new Set(list)].sort() }, actor };
      return allowedIn((await settings.change({ tenantId }, change)).values);
    },
  };
}

export type PluginPolicy = ReturnType<typeof createPluginPolicy>;

const notAllowed = (pluginId: string) =>
  forbidden(
    `The plugin '${pluginId}' is not on your organisation's list of allowed plugins: an admin can add it (PUT /api/plugins/policy)`,
    { code: 'plugin_not_allowed' },
  );
