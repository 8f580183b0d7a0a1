import { Reply, type Route, type RouteRequest, route } from '../../kit/route.ts';
import { getDocs, getDocsFile, getOpenApi, getRedoc, getRedocFile, getRoot } from './docs.contract.ts';
import type { Docs } from './docs.service.ts';

/** The query goes along: a failed OAuth sign-in comes back to the root address with its error code there. */
function leadToDocs(rawQuery: RouteRequest['rawQuery']): Reply {
  const query = new URLSearchParams(rawQuery as Record<string, string>).toString();
  return new Reply('', { status: 302, headers: { location: query === '' ? '/docs' : `/docs?${query}` } });
}

/** For surfaces without a page of their own. */
export const rootRoute: Route = route(getRoot, ({ rawQuery }) => leadToDocs(rawQuery));

export const docsRoutes = ({ openApi, swagger, redoc }: Docs): Route[] => [
  route(getOpenApi, ({ headers }) => openApi(headers)),
  route(getDocs, ({ headers }) => swagger.page(headers)),
  route(getDocsFile, ({ params, headers }) => swagger.file(params.path, headers)),
  route(getRedoc, ({ headers }) => redoc.page(headers)),
  route(getRedocFile, ({ params, headers }) => redoc.file(params.path, headers)),
];
