import { PERMISSIONS, roleAllows } from '../../../access/plans.ts';
import { forbidden, HttpError, notFound, unauthorized } from '../../../kit/errors.ts';
import { readRawBody } from '../../../kit/http/raw-bodies.ts';
import { Reply, type Route, type RouteRequest, route } from '../../../kit/route.ts';
import { GuestError } from '../../../platform/guests/guests.ts';
import type { GuestHttpResponse } from '../../../platform/guests/host.ts';
import type { Author } from '../../entities/index.ts';
import { type Projects, requestProject } from '../../projects/index.ts';
import type { Plugins } from '../plugins.service.ts';
import { pageOfFindings } from './findings.store.ts';
import {
  customDelete,
  customGet,
  customPatch,
  customPost,
  customPut,
  getPluginLog,
  listPluginFindings,
} from './guest.contract.ts';
import type { CallGuests } from './guest-calls.ts';
import type { GuestAuthor } from './guest-host.ts';
import type { PluginLog } from './plugin-log.service.ts';
import type { GuestPlugins } from './running-plugins.ts';

/** Milliseconds for a route of a guest. */
const ROUTE_MS = 5_000;

export interface GuestRoutesOptions {
  projects: Projects;
  plugins: Plugins;
  guestPlugins: GuestPlugins;
  calls: CallGuests;
  log: PluginLog;
}

type CustomRequest = RouteRequest<typeof customGet>;

export function guestRoutes({ projects, plugins, guestPlugins, calls, log }: GuestRoutesOptions): Route[] {
  async function answer(method: string, request: CustomRequest): Promise<Reply> {
    const { principal, params, headers, actor, plan } = request;
    if (principal === null) throw unauthorized('Sign in first');
    refuseAsCode(headers);
    const project = await requestProject(projects, request);
    await plugins.requireRunning(project, params.id);
    const plugin = (await guestPlugins.of(project)).find(({ folder }) => folder.id === params.id);
    if (plugin === undefined || !(await calls.offers(project, plugin, 'routes').catch(refuse)))
      throw noRoutes(params.id);
    const isEditor = roleAllows(principal.role, PERMISSIONS.edit_entities) && !principal.apiKey?.mayOnlyRead;
    const body = await bodyOf(request);
    const asked = {
      method,
      path: `/${params.path}${queryOf(request)}`,
      headers: headersFor(headers),
      body,
      user: { id: actor, role: principal.role },
    };
    const author = authorOf(isEditor, method, { actor, plan });
    const reply = await calls
      .call(project, plugin, 'handle-request', [asked], { deadlineMs: ROUTE_MS, author })
      .catch(refuse);
    return replyOf(reply);
  }

  return [
    route(getPluginLog, async (request) => {
      const { limit = 200, ...wanted } = request.query;
      const project = await requestProject(projects, request);
      await plugins.require(project, request.params.id);
      return log.page(project, request.params.id, { limit, ...wanted });
    }),
    route(listPluginFindings, async (request) => {
      const { limit = 100, offset = 0, entity_type: entityType, entity_id: entityId } = request.query;
      const project = await requestProject(projects, request);
      const plugins = await guestPlugins.of(project);
      const components = plugins.map(({ folder, hash }) => ({ pluginId: folder.id, hash }));
      const query = { components, entityType, entityId, limit, offset };
      const { total, rows } = await project.database.read((db: Parameters<typeof pageOfFindings>[0]) =>
        pageOfFindings(db, project, query),
      );
      return { total, findings: rows };
    }),
    route(customGet, (request) => answer('GET', request)),
    route(customPost, (request) => answer('POST', request)),
    route(customPut, (request) => answer('PUT', request)),
    route(customPatch, (request) => answer('PATCH', request)),
    route(customDelete, (request) => answer('DELETE', request)),
  ];
}

function authorOf(isEditor: boolean, method: string, author: Author): GuestAuthor {
  if (!isEditor) return { refusal: 'the caller may not change anything', isReader: true };
  return method === 'GET' ? { refusal: 'a GET changes no entity' } : author;
}

/** An answer is data: a page of the web app must never run it. */
function refuseAsCode(headers: CustomRequest['headers']): void {
  const dest = headers['sec-fetch-dest'];
  if (dest !== undefined && dest !== 'empty' && dest !== 'document')
    throw forbidden('A route of a plugin answers with data, which pages fetch', { code: 'not_fetched' });
}

/** Only what a guest may know: no credentials, and nothing of the connection. */
const HEADERS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-type', 'if-none-match']);

const headersFor = (headers: CustomRequest['headers']): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    HEADERS.has(name) && typeof value === 'string' ? [[name, value]] : [],
  );

function queryOf({ rawQuery }: CustomRequest): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rawQuery))
    for (const each of [value].flat()) if (name !== 'project_id') query.append(name, String(each));
  return query.size === 0 ? '' : `?${query}`;
}

async function bodyOf({ stream }: CustomRequest): Promise<string | null> {
  if (stream === null) return null;
  const body = await readRawBody(customPost, stream);
  return body.length === 0 ? null : body.toString('utf8');
}

function refuse(error: unknown): never {
  if (!(error instanceof GuestError)) throw error;
  if (error.isBreak)
    throw new HttpError(504, 'The plugin did not answer within its limits', { code: 'plugin_broke_limit' });
  if (error.code === 'busy')
    throw new HttpError(503, 'Too many plugins are at work: try again', { code: 'plugins_busy' });
  if (error.code === 'ended')
    throw new HttpError(503, 'The plugin was stopped meanwhile: try again', { code: 'plugin_stopped' });
  throw new HttpError(502, 'The plugin failed: its log says why', { code: 'plugin_failed' });
}

/** Headers that a guest may set. A page of its own would have the origin of the web app, so it gets a sandbox. */
const REPLY_HEADERS: ReadonlySet<string> = new Set([
  'content-type',
  'etag',
  'cache-control',
  'content-language',
]);

function replyOf({ status, headers, body }: GuestHttpResponse): Reply {
  const isStatus =
    status >= 200 && status <= 599 && ![204, 304].includes(status) && (status < 300 || status >= 400);
  const given = headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name, value]) => REPLY_HEADERS.has(name) && /^[\t\x20-\x7e]{0,1000}$/.test(value));
  return new Reply(body, {
    status: isStatus ? status : 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...Object.fromEntries(given),
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': 'attachment',
    },
  });
}

const noRoutes = (pluginId: string) =>
  notFound(`The plugin '${pluginId}' has no routes of its own`, { code: 'no_plugin_routes' });
