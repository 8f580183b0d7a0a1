import { notFound } from '../../kit/errors.ts';
import { Reply, type Route, type RouteRequest, route } from '../../kit/route.ts';
import type { Projects } from '../projects/index.ts';
import type { Project, Scope } from '../records/index.ts';
import { getPluginFile, getPluginPanel } from './panels.contract.ts';
import type { PageRequest, Panels } from './panels.service.ts';
import type { PluginOrigins } from './plugin-origins.ts';

export interface PanelRoutesOptions {
  projects: Projects;
  panels: Panels;
  origins: PluginOrigins;
  /** The project with a number; null if there is none. */
  projectAt(number: number): Promise<Scope | null>;
}

type PanelRequest = Pick<
  RouteRequest<typeof getPluginPanel>,
  'params' | 'headers' | 'origin' | 'tenantId' | 'onEnd'
>;

export function panelRoutes({ projects, panels, origins, projectAt }: PanelRoutesOptions): Route[] {
  async function borrow({ tenantId, projectId }: Scope, { onEnd }: PanelRequest): Promise<Project> {
    const { project, release } = await projects.borrow(tenantId, projectId);
    onEnd(release);
    return project;
  }

  /** By the label in the origin, or else in the address. */
  async function labelled(request: PanelRequest): Promise<Project | null> {
    const { pluginId, panelId } = request.params;
    const label = origins.labelIn(request.origin) ?? panelId.split('~')[1];
    const number = label === undefined ? null : origins.numberOf(label, pluginId);
    const scope = number === null ? null : await projectAt(number);
    return scope && borrow(scope, request);
  }

  /** Without a label only a service of one tenant knows whose plugin is meant. */
  async function unlabelled(request: PanelRequest, projectId: string): Promise<Project> {
    const { params, tenantId, origin } = request;
    const isUnlabelled = !params.panelId.includes('~') && origins.labelIn(origin) === null;
    if (isUnlabelled && tenantId !== '') return borrow({ tenantId, projectId }, request);
    throw nowhere();
  }

  const pageRequest = ({ params, headers, origin }: PanelRequest): PageRequest => ({
    origin,
    headers,
    pluginId: params.pluginId,
    panelId: params.panelId.split('~')[0] ?? '',
  });

  /**
   * A worker would answer for pages without their policy. A script of a page on the web app's own origin has no business here:
   * pages of plugins there are in a sandbox, so their requests come from another site.
   */
  function refuseMisuse({ headers, origin }: PanelRequest): void {
    const dest = headers['sec-fetch-dest'];
    const isWorker = headers['service-worker'] !== undefined || dest === 'serviceworker';
    const isOfApp = !origins.isForPagesAlone(origin) && headers['sec-fetch-site'] === 'same-origin';
    if (isWorker || (isOfApp && CODE.has(String(dest)))) throw nowhere();
  }

  return [
    route(getPluginPanel, async (request) => {
      refuseMisuse(request);
      const { project_id = 'default', ...query } = request.query;
      const project = (await labelled(request)) ?? (await unlabelled(request, project_id));
      const asked = pageRequest(request);
      if (origins.servesPages(request.origin)) return panels.page(project, asked, query);
      const search = new URLSearchParams(Object.entries(query)).toString();
      const location = panels.addressOf(request.origin, project, asked.pluginId, asked.panelId);
      const headers = { location: search === '' ? location : `${location}?${search}` };
      return new Reply('', { status: 302, headers });
    }),
    route(getPluginFile, async (request) => {
      refuseMisuse(request);
      const project = await labelled(request);
      if (project === null || !origins.servesPages(request.origin)) throw nowhere();
      return panels.file(project, pageRequest(request), request.params.path);
    }),
  ];
}

/** Kinds of requests by which a page runs what it gets. */
const CODE: ReadonlySet<string> = new Set(['script', 'style', 'worker', 'sharedworker']);

const nowhere = () =>
  notFound('No page of a plugin is at this address: GET /api/plugins says where its pages are', {
    code: 'panel_not_found',
  });
