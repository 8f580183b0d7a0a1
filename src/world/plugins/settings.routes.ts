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
  async function placeOf(request: SettingsRequest, kind: 'global' | 'user'): Promise<SettingsPlace> {
    const project = await requestProject(projects, request);
    const pluginId = request.params.id;
    const { folder } = await plugins.require(project, pluginId);
    const fields = (folder.manifest?.settings ?? NO_FIELDS)[kind];
    return { project, pluginId, fields, holder: kind === 'global' ? 'global' : { userId: request.actor } };
  }

  return [
    route(getPluginSettings, async (request) => settings.shown(await placeOf(request, 'global'))),
    route(getPluginUserSettings, async (request) => settings.shown(await placeOf(request, 'user'))),
    route(setPluginSettings, async (request) => {
      const place = await placeOf(request, 'global');
      const values = await settings.change(place, request.body, request.actor);
      await plugins.announce(place.project, place.pluginId, 'settings');
      return values;
    }),
    route(setPluginUserSettings, async (request) =>
      settings.change(await placeOf(request, 'user'), request.body, request.actor),
    ),
  ];
}
