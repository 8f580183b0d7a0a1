import { invalid } from '../../kit/errors.ts';
import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import type { Project } from '../records/index.ts';
import type { PluginPolicy } from './plugin-policy.ts';
import {
  deletePlugin,
  disablePlugin,
  enablePlugin,
  getPlugin,
  getPluginPolicy,
  grantToPlugin,
  listPluginGrants,
  listPlugins,
  setPluginPolicy,
  uploadPlugin,
} from './plugins.contract.ts';
import type { Plugins } from './plugins.service.ts';
import type { ShowPlugin } from './show-plugin.ts';

export interface PluginRoutesOptions {
  projects: Projects;
  plugins: Plugins;
  show: ShowPlugin;
  policy: PluginPolicy;
  /** They lose what they keep of a plugin that is purged. */
  stores: readonly { purge(project: Project, pluginId: string): Promise<void> }[];
}

export function pluginRoutes(options: PluginRoutesOptions): Route[] {
  const { projects, plugins, show, policy, stores } = options;
  return [
    route(listPlugins, async (request) => {
      const project = await requestProject(projects, request);
      return { plugins: (await plugins.list(project)).map((view) => show(request, project, view)) };
    }),
    route(uploadPlugin, async (request) => {
      const { file } = request.files;
      if (file === undefined) throw invalid("form field 'file' is required: send it as a file");
      const project = await requestProject(projects, request);
      return show(request, project, await plugins.install(project, file.path, request));
    }),
    route(getPluginPolicy, async ({ tenantId }) => ({ allowed: await policy.allowed(tenantId) })),
    route(setPluginPolicy, async ({ tenantId, body, actor }) => ({
      allowed: await policy.set(tenantId, body.allowed, actor),
    })),
    route(getPlugin, async (request) => {
      const project = await requestProject(projects, request);
      return show(request, project, await plugins.require(project, request.params.id));
    }),
    route(deletePlugin, async (request) => {
      const { id } = request.params;
      const project = await requestProject(projects, request);
      const purgeAll = async () => {
        for (const { purge } of stores) await purge(project, id);
      };
      await plugins.remove(project, id, request.query.purge === true ? purgeAll : null);
      return { message: `_Plugins/${id} was moved to the recycle bin` };
    }),
    route(enablePlugin, async (request) => {
      const project = await requestProject(projects, request);
      return show(request, project, await plugins.enable(project, request.params.id));
    }),
    route(disablePlugin, async (request) => {
      const project = await requestProject(projects, request);
      return show(request, project, await plugins.disable(project, request.params.id));
    }),
    route(listPluginGrants, async (request) => {
      const { permissions } = await plugins.require(
        await requestProject(projects, request),
        request.params.id,
      );
      return { permissions };
    }),
    route(grantToPlugin, async (request) => {
      const project = await requestProject(projects, request);
      const { params, body, actor } = request;
      const { permissions } = await plugins.grant(project, params.id, body.permissions, actor);
      return { permissions };
    }),
  ];
}
