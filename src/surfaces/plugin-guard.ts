import { notFound } from '../kit/errors.ts';
import type { Guard, GuardedRequest } from '../kit/http/local-guard.ts';
import type { PluginOrigins } from '../world/plugins/index.ts';

const originOf = ({ protocol = 'http', host, headers }: GuardedRequest): string =>
  `${protocol}://${host ?? headers.host ?? ''}`;

const isPage = (url: string): boolean => url.startsWith('/api/plugins/panel/');

/** The origins of plugins serve pages of plugins alone; everything else is for the guard of the surface. */
export const withPluginOrigins =
  (origins: PluginOrigins, guard: Guard = () => null): Guard =>
  (request) => {
    if (!origins.isForPagesAlone(originOf(request))) return guard(request);
    return isPage(request.url ?? '') ? null : nothingElse();
  };

const nothingElse = () =>
  notFound('This address serves pages of plugins and nothing else', { code: 'plugin_origin' });
