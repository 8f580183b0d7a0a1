import { notFound } from '../errors.ts';
import type { Guard } from './local-guard.ts';

/** Hosts that serve pages of plugins. */
export interface PluginHosts {
  /** The name of one plugin of one project in a host; null if it is none. */
  labelIn(host: string): string | null;
  /** True for a host that serves nothing else. */
  isForPagesAlone(host: string): boolean;
}

const LABEL = /^p\d{1,15}-[0-9a-f]{20}$/;
const LOCAL = /^([^.]+)\.localhost(?::\d{1,5})?$/;

/** `setting` is `PLUGIN_ORIGIN`: with `*`, the place of the name; null for names below `localhost`. */
export function createPluginHosts(setting: string | null): PluginHosts {
  const [, shared = ''] = setting?.split('//') ?? [];

  function nameIn(host: string): string | undefined {
    if (setting === null) return LOCAL.exec(host)?.[1];
    const [before = '', after] = shared.split('*');
    const fits = after !== undefined && host.startsWith(before) && host.endsWith(after);
    return fits ? host.slice(before.length, -after.length) : undefined;
  }

  const labelIn = (host: string): string | null => {
    const name = nameIn(host);
    return name !== undefined && LABEL.test(name) ? name : null;
  };
  return { labelIn, isForPagesAlone: (host) => labelIn(host) !== null || host === shared };
}

/** These hosts serve pages of plugins and nothing else; all others are for the guard of the surface. */
export const withPluginHosts =
  (hosts: PluginHosts, guard: Guard = () => null): Guard =>
  (request) => {
    if (!hosts.isForPagesAlone(request.host ?? request.headers.host ?? '')) return guard(request);
    return request.url?.startsWith('/api/plugins/panel/') ? null : nothingElse();
  };

const nothingElse = () =>
  notFound('This address serves pages of plugins and nothing else', { code: 'plugin_origin' });
