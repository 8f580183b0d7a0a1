import type { RouteRequest } from '../../kit/route.ts';
import type { Project } from '../records/index.ts';
import type { Panels } from './panels.service.ts';
import type { PluginOrigins } from './plugin-origins.ts';
import { type PluginView, replyOf } from './plugin-view.ts';
import type { PluginReply } from './plugins.contract.ts';

/** A plugin as a reply shows it to whoever sent the request. */
export type ShowPlugin = (
  request: Pick<RouteRequest, 'origin'>,
  project: Project,
  view: PluginView,
) => PluginReply;

export const createShowPlugin =
  (origins: PluginOrigins, panels: Panels): ShowPlugin =>
  ({ origin }, project, view) => {
    const { id } = view.folder;
    const own = origins.originOf(origin, { number: project.number, pluginId: id });
    return replyOf(view, own, (pageId) => panels.addressOf(origin, project, id, pageId));
  };
