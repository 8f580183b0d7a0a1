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

export type SharedConfig = Omit<StudioConfig, 'has_session'>;

export interface StudioOptions {
  config: () => Promise<SharedConfig>;
  /** The name of the cookie that holds the access token; null where there are no sessions of browsers. */
  sessionCookie: string | null;
}

export const studioRoutes = (studio: Studio, { config, sessionCookie }: StudioOptions): Route[] => [
  studio.isBuilt ? route(getStudio, ({ headers }) => studio.page(headers)) : rootRoute,
  ...studioPages.map((contract) => route(contract, ({ headers }) => studio.page(headers))),
  ...studioPagesBelow.map((contract) => route(contract, ({ headers }) => studio.page(headers))),
  route(getStudioFile, ({ params, headers }) => studio.asset(params.path, headers)),
  route(getStudioWorker, ({ headers }) => studio.worker(headers)),
  route(getStudioManifest, ({ headers }) => studio.manifest(headers)),
  route(getStudioConfig, async ({ cookies }) => {
    const has_session = sessionCookie !== null && cookies[sessionCookie] !== undefined;
    return new Reply({ ...(await config()), has_session }, { headers: { 'cache-control': 'no-store' } });
  }),
];
