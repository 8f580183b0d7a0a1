import { conflict } from '../../kit/errors.ts';
import { type Route, route } from '../../kit/route.ts';
import { type ProjectRequest, type Projects, requestProject } from '../projects/index.ts';
import type { PluginSettings, SettingsPlace } from './plugin-settings.service.ts';
import type { Plugins } from './plugins.service.ts';
import {
  getPluginSettings,
  getPluginUserSettings,
  setPluginSettings,
  setPluginUserSettings,
} from './settings.contract.ts';

type SettingsRequest = ProjectRequest & { params: { id: string }; actor: string };

export function pluginSettingsRoutes(
  projects: Projects,
  plugins: Plugins,
  settings: PluginSettings,
): Route[] {
  async function asked(request: SettingsRequest) {
    const project = await requestProject(projects, request);
    const pluginId = request.params.id;
    const { folder } = await plugins.require(project, pluginId);
    // The lists of one manifest are known by themselves, so no two plugins may share one.
    const fields = folder.manifest?.settings ?? { global: [], user: [] };
    return { project, pluginId, fields, isReadable: folder.manifest !== null };
  }

  async function toChange(request: SettingsRequest) {
    const { isReadable, ...plugin } = await asked(request);
    if (isReadable) return plugin;
    throw conflict(`The manifest of ${plugin.pluginId} cannot be read: mend it, then change its settings`, {
      code: 'unreadable_file',
    });
  }

  type Asked = Awaited<ReturnType<typeof toChange>>;
  const ofProject = ({ fields, ...plugin }: Asked): SettingsPlace => ({
    ...plugin,
    fields: fields.global,
    holder: 'global',
  });
  const ofUser = ({ fields, ...plugin }: Asked, userId: string): SettingsPlace => ({
    ...plugin,
    fields: fields.user,
    holder: { userId },
  });

  return [
    route(getPluginSettings, async (request) => settings.shown(ofProject(await asked(request)))),
    route(getPluginUserSettings, async (request) => {
      const plugin = await asked(request);
      return request.query.effective === true
        ? settings.effective(plugin, request.actor)
        : settings.shown(ofUser(plugin, request.actor));
    }),
    route(setPluginSettings, async (request) => {
      const plugin = await toChange(request);
      const values = await settings.change(ofProject(plugin), request.body, request.actor);
      await plugins.announce(plugin.project, plugin.pluginId, 'settings');
      return values;
    }),
    route(setPluginUserSettings, async (request) => {
      const place = ofUser(await toChange(request), request.actor);
      return settings.change(place, request.body, request.actor);
    }),
  ];
}
