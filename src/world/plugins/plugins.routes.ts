import { invalid } from '../../kit/errors.ts';
import { type Route, type RouteRequest, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import type { Project } from '../records/index.ts';
import type { Panels } from './panels.service.ts';
import type { PluginOrigins } from './plugin-origins.ts';
import type { PluginPolicy } from './plugin-policy.ts';
import { type PluginView, replyOf } from './plugin-view.ts';
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

export interface PluginRoutesOptions {
  projects: Projects;
  plugins: Plugins;
  panels: Panels;
  origins: PluginOrigins;
  policy: PluginPolicy;
  /** What goes with a plugin that is purged. */
  stores: readonly { purge(project: Project, pluginId: string): Promise<void> }[];
}

export function pluginRoutes(options: PluginRoutesOptions): Route[] {
  const { projects, plugins, panels, origins, policy, stores } = options;

  const shown = ({ origin }: Pick<RouteRequest, 'origin'>, project: Project, view: PluginView) => {
    const { id } = view.folder;
    const own = origins.originOf(origin, { number: project.number, pluginId: id });
    return replyOf(view, own, (pageId) => panels.addressOf(origin, project, id, pageId));
  };

  return [
    route(listPlugins, async (request) => {
      const project = await requestProject(projects, request);
      return { plugins: (await plugins.list(project)).map((view) => shown(request, project, view)) };
    }),
    route(uploadPlugin, async (request) => {
      const { file } = request.files;
      if (file === undefined) throw invalid("form field 'file' is required: send it as a file");
      const project = await requestProject(projects, request);
      return shown(request, project, await plugins.install(project, file.path, request.actor));
    }),
    route(getPluginPolicy, async ({ tenantId }) => ({ allowed: await policy.allowed(tenantId) })),
    route(setPluginPolicy, async ({ tenantId, body, actor }) => ({
      allowed: await policy.set(tenantId, body.allowed, actor),
    })),
    route(getPlugin, async (request) => {
      const project = await requestProject(projects, request);
      return shown(request, project, await plugins.require(project, request.params.id));
    }),
    route(deletePlugin, async (request) => {
      const { id } = request.params;
      const project = await requestProject(projects, request);
      await plugins.remove(project, id);
      if (request.query.purge === true) for (const { purge } of stores) await purge(project, id);
      return { message: `_Plugins/${id} was moved to the recycle bin` };
    }),
    route(enablePlugin, async (request) => {
      const project = await requestProject(projects, request);
      return shown(request, project, await plugins.enable(project, request.params.id));
    }),
    route(disablePlugin, async (request) => {
      const project = await requestProject(projects, request);
      return shown(request, project, await plugins.disable(project, request.params.id));
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
