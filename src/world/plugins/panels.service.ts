import type { IncomingHttpHeaders } from 'node:http';
import { decodeUtf8 } from '../../content/frontmatter/index.ts';
import type { PluginManifest } from '../../content/plugins/index.ts';
import { notFound } from '../../kit/errors.ts';
import { fileReply } from '../../kit/http/file-reply.ts';
import { Reply } from '../../kit/route.ts';
import { type FileStore, FilesError } from '../../platform/files/files.ts';
import { folderOf } from '../../text/paths.ts';
import type { Project } from '../records/index.ts';
import { isPageFile, typeOfPageFile } from './page-files.ts';
import { pageWithContext, panelPolicy } from './panel-page.ts';
import { folderOfPlugin } from './plugin-moves.ts';
import type { PluginOrigins } from './plugin-origins.ts';
import { grantedHosts, type RunningPlugin } from './plugin-view.ts';
import type { Plugins } from './plugins.service.ts';

/** Bytes of a page, which is read as a whole. */
const LARGEST_PAGE = 2 * 1024 * 1024;
const PANELS = '/api/plugins/panel';

export interface PageRequest {
  /** At which the caller reached the service. */
  origin: string;
  headers: IncomingHttpHeaders;
  pluginId: string;
  panelId: string;
}

export interface PageQuery {
  entity_type?: string | undefined;
  entity_id?: string | undefined;
  theme?: 'light' | 'dark' | undefined;
}

export interface PanelsOptions {
  plugins: Plugins;
  origins: PluginOrigins;
  /** Origins of the web app, besides the one that serves it. */
  hosts: readonly string[];
}

/** The pages of plugins, for browsers. */
export function createPanels({ plugins, origins, hosts }: PanelsOptions) {
  /** The folder of a page's address where the origin does not say which project's plugin it is. */
  const labelledPath = ({ number }: Project, pluginId: string, panelId: string): string =>
    `${PANELS}/${pluginId}/${panelId}~${origins.labelOf({ number, pluginId })}/`;

  /** Absolute on the plugin's own origin, or on the one of all plugins; without either, on the service's. */
  function addressOf(origin: string, project: Project, pluginId: string, panelId: string): string {
    const own = origins.originOf(origin, { number: project.number, pluginId });
    return own === null
      ? `${origins.shared ?? ''}${labelledPath(project, pluginId, panelId)}`
      : `${own}${PANELS}/${pluginId}/${panelId}/`;
  }

  /** The address of a file that a page names is that of the page, with the file's path in the folder of the page. */
  async function find(project: Project, pluginId: string, panelId: string) {
    const plugin = await plugins.requireRunning(project, pluginId);
    const url = pageOf(plugin.manifest, panelId);
    if (url === undefined)
      throw notFound(`The plugin '${pluginId}' has no page '${panelId}'`, { code: 'panel_not_found' });
    return { plugin, url };
  }

  function headersOf(project: Project, { origin, pluginId, panelId }: PageRequest, plugin: RunningPlugin) {
    const isOwn = origins.labelIn(origin) !== null;
    const files = isOwn ? `${PANELS}/${pluginId}/` : labelledPath(project, pluginId, panelId);
    return {
      'content-security-policy': panelPolicy({
        files: `${origin}${files}`,
        hosts: hostsAround(origin),
        requests: grantedHosts(plugin),
        isSandboxed: !isOwn,
      }),
      'referrer-policy': 'no-referrer',
      'x-dns-prefetch-control': 'off',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'private, no-cache',
    };
  }

  /** The web app on a service of this machine may be open by either of its names. */
  function hostsAround(origin: string): string[] {
    const url = URL.parse(origin);
    const port = url === null || url.port === '' ? '' : `:${url.port}`;
    const isLocal = /(?:^|\.)localhost$/.test(url?.hostname ?? '');
    const around = isLocal ? [`http://127.0.0.1${port}`, `http://localhost${port}`] : [origin];
    return [...new Set([...(isLocal || !origins.isForPagesAlone(origin) ? around : []), ...hosts])];
  }

  return {
    addressOf,

    async page(project: Project, request: PageRequest, query: PageQuery): Promise<Reply> {
      const { pluginId, panelId, origin } = request;
      const { plugin, url } = await find(project, pluginId, panelId);
      const bytes = await readPage(project.files, `${folderOfPlugin(pluginId)}/${url}`);
      const decoded = decodeUtf8(bytes);
      if (!decoded.ok) throw notFound(`The page ${url} is no text in UTF-8: ${decoded.problem.reason}`);
      const html = pageWithContext(decoded.text, {
        pluginId,
        panelId,
        entityType: query.entity_type ?? null,
        entityId: query.entity_id ?? null,
        theme: query.theme ?? null,
        hosts: hostsAround(origin),
        base:
          origins.labelIn(origin) === null
            ? labelledPath(project, pluginId, panelId)
            : `${PANELS}/${pluginId}/${panelId}/`,
      });
      const headers = { ...headersOf(project, request, plugin), 'content-type': 'text/html; charset=utf-8' };
      return new Reply(html, { headers });
    },

    async file(project: Project, request: PageRequest, path: string): Promise<Reply> {
      const { plugin, url } = await find(project, request.pluginId, request.panelId);
      const folder = folderOf(url);
      const inner = folder === '' ? path : `${folder}/${path}`;
      if (!isPageFile(inner, plugin.manifest)) throw noFile(path);
      const file = await project.files.open(`${folderOfPlugin(request.pluginId)}/${inner}`).catch(unlessGone);
      if (file === null) throw noFile(path);
      const { size, mtimeMs, ino } = file.stat;
      return fileReply(
        {
          size,
          modifiedMs: mtimeMs,
          etag: `"${[size, Math.floor(mtimeMs * 1000), ino].map((part) => part.toString(36)).join('-')}"`,
          type: typeOfPageFile(inner),
          // A page in a sandbox has no origin, so its modules and fonts come from another one.
          headers: { ...headersOf(project, request, plugin), 'access-control-allow-origin': '*' },
          stream: file.stream,
          close: file.close,
        },
        request.headers,
      );
    },
  };
}

export type Panels = ReturnType<typeof createPanels>;

/** Ids of panels come first, then of widgets, pages and commands. */
function pageOf({ panels, widgets, pages, commands }: PluginManifest, id: string): string | undefined {
  return [...panels, ...widgets, ...pages, ...commands].find((one) => one.id === id)?.url ?? undefined;
}

const noFile = (path: string) => notFound(`The plugin has no file '${path}' for this page`);

const unlessGone = (error: unknown): null => {
  if (
    error instanceof FilesError &&
    ['not_found', 'not_a_file', 'not_a_folder', 'bad_path', 'outside'].includes(error.code)
  )
    return null;
  throw error;
};

async function readPage(files: FileStore, path: string): Promise<Uint8Array> {
  const bytes = await files.read(path, LARGEST_PAGE).catch((error: unknown) => {
    if (error instanceof FilesError && error.code === 'too_large') throw notFound(error.message);
    return unlessGone(error);
  });
  if (bytes === null) throw notFound(`${path} is not there: the plugin is incomplete`);
  return bytes;
}
