import { notFound } from '../../kit/errors.ts';
import { type Route, route } from '../../kit/route.ts';
import type { TemplateRegistry } from '../definitions/index.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import { listFaultyFiles, type Project, type RecordsDb, readProblem } from '../records/index.ts';
import type { Mirror } from './mirror.service.ts';
import type { InvalidFile } from './report.ts';
import type { SyncScope } from './run-queue.ts';
import {
  checkChanges,
  fileWatcherStatus,
  importChanges,
  refreshAll,
  syncAll,
  syncFromFiles,
  syncStatus,
  syncType,
} from './sync.contract.ts';
import { succeeded } from './sync-reply.ts';

const MOST_NAMED = 200;

async function invalidFiles(project: Project): Promise<{ invalid: InvalidFile[]; invalid_total: number }> {
  const { files, total } = await project.database.read((db: RecordsDb) =>
    listFaultyFiles(db, project, MOST_NAMED),
  );
  const invalid = files.map(({ path, problem }) => {
    const { line, column, reason } = readProblem(problem);
    return { path, line, column, reason };
  });
  return { invalid, invalid_total: total };
}

interface Forced {
  query: { force?: string | undefined };
  body?: { force?: boolean | undefined } | undefined;
}

const isForced = ({ query, body }: Forced): boolean => query.force === 'true' || body?.force === true;

export function syncRoutes(options: {
  projects: Projects;
  templates: TemplateRegistry;
  mirror: Mirror;
}): Route[] {
  const { projects, templates, mirror } = options;
  const full: SyncScope = { kind: 'full' };
  const run = async (project: Project, scope: SyncScope, request: Forced) =>
    succeeded(await mirror.sync(project, scope, { force: isForced(request) }));

  async function typeScope(project: Project, type: string): Promise<SyncScope> {
    if ((await templates.of(project)).types.has(type)) return { kind: 'type', type };
    throw notFound(`There is no entity type '${type}' in this project: add a template to define it`, {
      code: 'unknown_type',
    });
  }

  return [
    ...[syncAll, refreshAll, syncFromFiles].map((contract) =>
      route(contract, async (request) => run(await requestProject(projects, request), full, request)),
    ),
    route(syncType, async (request) => {
      const project = await requestProject(projects, request);
      return run(project, await typeScope(project, request.params.type), request);
    }),
    route(importChanges, async (request) => {
      const paths = request.body?.paths;
      const scope: SyncScope = paths ? { kind: 'paths', paths } : full;
      return run(await requestProject(projects, request), scope, request);
    }),
    route(checkChanges, async (request) => mirror.check(await requestProject(projects, request))),
    route(syncStatus, async (request) => {
      const project = await requestProject(projects, request);
      return { ...mirror.status(project), ...(await invalidFiles(project)) };
    }),
    route(fileWatcherStatus, async (request) => {
      const project = await requestProject(projects, request);
      const { last_full_sync_at } = mirror.status(project);
      return { ...mirror.watcherStatus(project), last_full_sync_at };
    }),
  ];
}
