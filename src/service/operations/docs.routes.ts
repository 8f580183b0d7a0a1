import { Reply, type Route, route } from '../../kit/route.ts';
import { getDocs, getDocsFile, getOpenApi, getRedoc, getRedocFile, getRoot } from './docs.contract.ts';
import type { Docs } from './docs.service.ts';

export const docsRoutes = ({ openApi, swagger, redoc }: Docs): Route[] => [
  route(getRoot, ({ rawQuery }) => {
    // A failed OAuth sign-in comes back here with its error code in the query.
    const query = new URLSearchParams(rawQuery as Record<string, string>).toString();
    return new Reply('', { status: 302, headers: { location: query === '' ? '/docs' : `/docs?${query}` } });
  }),
  route(getOpenApi, ({ headers }) => openApi(headers)),
  route(getDocs, ({ headers }) => swagger.page(headers)),
  route(getDocsFile, ({ params, headers }) => swagger.file(params.path, headers)),
  route(getRedoc, ({ headers }) => redoc.page(headers)),
  route(getRedocFile, ({ params, headers }) => redoc.file(params.path, headers)),
];
