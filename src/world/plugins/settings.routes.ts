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

const NO_FIELDS = { global: [], user: [] };

export function pluginSettingsRoutes(
  projects: Projects,
  plugins: Plugins,
  settings: PluginSettings,
): Route[] {
  async function asked(request: SettingsRequest) {
    const project = await requestProject(projects, request);
    const pluginId = request.params.id;
    const { folder } = await plugins.require(project, pluginId);
    return { project, pluginId, fields: folder.manifest?.settings ?? NO_FIELDS };
  }

  async function ofProject(request: SettingsRequest): Promise<SettingsPlace> {
    const { fields, ...plugin } = await asked(request);
    return { ...plugin, fields: fields.global, holder: 'global' };
  }

  async function ofUser(request: SettingsRequest): Promise<SettingsPlace> {
    const { fields, ...plugin } = await asked(request);
    return { ...plugin, fields: fields.user, holder: { userId: request.actor } };
  }

  return [
    route(getPluginSettings, async (request) => settings.shown(await ofProject(request))),
    route(getPluginUserSettings, async (request) =>
      request.query.effective === true
        ? settings.effective(await asked(request), request.actor)
        : settings.shown(await ofUser(request)),
    ),
    route(setPluginSettings, async (request) => {
      const place = await ofProject(request);
      const values = await settings.change(place, request.body, request.actor);
      await plugins.announce(place.project, place.pluginId, 'settings');
      return values;
    }),
    route(setPluginUserSettings, async (request) =>
      settings.change(await ofUser(request), request.body, request.actor),
    ),
  ];
}
