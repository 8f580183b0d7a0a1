import { PLANS, type PlanName } from '../../content/plans.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Watcher, WatcherStatus } from '../../platform/watcher/watcher.ts';
import type { Projects } from '../projects/projects.service.ts';
import type { Project } from '../records/scope.ts';
import type { TemplateChange } from '../templates/template-set.ts';
import type { TemplateRegistry } from '../templates/templates.registry.ts';
import type { FolderChanges } from './check-changes.ts';
import { createProjectMirror, type MirrorStatus, type ProjectMirror } from './project-mirror.ts';
import type { SyncReport } from './report.ts';
import type { SyncScope } from './run-queue.ts';
import { createScannerClient, type ScannerThread } from './scanner-client.ts';

export interface MirrorOptions {
  projects: Projects;
  templates: TemplateRegistry;
  bus: Bus;
  clock: Clock;
  log: Log;
  startScanner(): ScannerThread;
  /** Null where nothing is to be watched. */
  createWatcher(project: Project): Watcher | null;
  sweepIntervalMs: number | null;
  sweepOnStart: boolean;
  /** What tenants of this installation may have. */
  plan: PlanName;
}

/** Files and database kept the same, for all projects (decisions "Sync", docs/design.md). */
export interface Mirror {
  /** Runs a sync, or joins the running one that covers it. */
  sync(project: Project, scope: SyncScope, options?: { force?: boolean | undefined }): Promise<SyncReport>;
  /** What differs between folder and database; changes nothing. */
  check(project: Project): Promise<FolderChanges>;
  status(project: Project): MirrorStatus;
  watcherStatus(project: Project): WatcherStatus;
  /** Resolves when the sync of the project's start and all that was asked for since are done. */
  whenSettled(project: Project): Promise<void>;
}

export function createMirror(options: MirrorOptions) {
  const { projects, templates, bus, clock, log, sweepIntervalMs, sweepOnStart, plan } = options;
  const scanner = createScannerClient(options.startScanner);
  const mirrors = new Map<Project, ProjectMirror>();
  let unsubscribe = () => {};

  function of(project: Project): ProjectMirror {
    const known = mirrors.get(project);
    if (known) return known;
    const made = createProjectMirror({
      project,
      templates,
      bus,
      clock,
      log,
      scanner,
      watcher: options.createWatcher(project),
      sweepIntervalMs,
      sweepOnStart,
      entitiesLimit: () => PLANS[plan].entities_limit,
    });
    mirrors.set(project, made);
    return made;
  }

  /** Templates that are in force have files; looking at those leads to the entities that follow from them. */
  function follow(project: Project, { added, changed }: TemplateChange): void {
    const types = templates.current(project)?.types;
    const paths = [...added, ...changed].flatMap((type) => types?.get(type)?.path ?? []);
    if (paths.length > 0) mirrors.get(project)?.hint(paths);
  }

  /** An entity that came back brought assets along. */
  function followRestore(tenantId: string, event: Record<string, unknown>): void {
    if (event.type !== 'entity_updated' || event.action !== 'restore') return;
    for (const [project, mirror] of mirrors) {
      if (project.tenantId !== tenantId || project.projectId !== event.project_id) continue;
      const folder = templates.current(project)?.types.get(String(event.entity_type))?.folder_name;
      if (folder !== undefined) mirror.hint([`${folder}/${event.entity_id}`]);
    }
  }

  const mirror: Mirror = {
    sync: (project, scope, { force = false } = {}) => of(project).sync(scope, force),
    check: (project) => of(project).check(),
    status: (project) => of(project).status(),
    watcherStatus: (project) => of(project).watcherStatus(),
    whenSettled: (project) => of(project).settled(),
  };

  return {
    mirror,
    async start(): Promise<void> {
      templates.onChange(follow);
      unsubscribe = bus.subscribe(followRestore);
      await projects.onOpen((project) => of(project).start());
    },
    async stop(): Promise<void> {
      unsubscribe();
      await Promise.all([...mirrors.values()].map((each) => each.stop()));
      await scanner.close();
    },
  };
}
