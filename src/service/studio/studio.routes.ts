import type { ReplyOf } from '../../kit/contract.ts';
import { Reply, type Route, route } from '../../kit/route.ts';
import { rootRoute } from '../operations/index.ts';
import {
  getStudio,
  getStudioConfig,
  getStudioFile,
  getStudioManifest,
  getStudioWorker,
  studioPages,
  studioPagesBelow,
} from './studio.contract.ts';
import type { Studio } from './studio.service.ts';

export type StudioConfig = ReplyOf<typeof getStudioConfig>;

export type SharedConfig = Omit<StudioConfig, 'has_session' | 'plugin_origin'>;

export interface StudioOptions {
  config: () => Promise<SharedConfig>;
  /** The origin of plugins' pages for a caller at an origin, with `*` for the name of each; null where they have none. */
  pluginOriginFor(origin: string): string | null;
  /** The name of the cookie that holds the access token; null where there are no sessions of browsers. */
  sessionCookie: string | null;
}

export const studioRoutes = (
  studio: Studio,
  { config, pluginOriginFor, sessionCookie }: StudioOptions,
): Route[] => [
  studio.isBuilt ? route(getStudio, (request) => studio.page(request)) : rootRoute,
  ...studioPages.map((contract) => route(contract, (request) => studio.page(request))),
  ...studioPagesBelow.map((contract) => route(contract, (request) => studio.page(request))),
  route(getStudioFile, ({ params, headers }) => studio.asset(params.path, headers)),
  route(getStudioWorker, ({ headers }) => studio.worker(headers)),
  route(getStudioManifest, ({ headers }) => studio.manifest(headers)),
  route(getStudioConfig, async ({ cookies, origin }) => {
    const has_session = sessionCookie !== null && cookies[sessionCookie] !== undefined;
    const shown = { ...(await config()), plugin_origin: pluginOriginFor(origin), has_session };
    return new Reply(shown, { headers: { 'cache-control': 'no-store' } });
  }),
];
