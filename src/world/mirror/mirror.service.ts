import { PLANS, type PlanName } from '../../access/plans.ts';
import { RULES_FOLDER } from '../../content/rules/index.ts';
import { createBackground } from '../../kit/background.ts';
import type { Clock } from '../../kit/clock.ts';
import type { EventOf } from '../../kit/event.ts';
import type { Log } from '../../kit/log.ts';
import type { Bus, EventOrigin } from '../../platform/bus/bus.ts';
import type { Watcher, WatcherStatus } from '../../platform/watcher/watcher.ts';
import type { NoteConflictCopy } from '../conflict-records/index.ts';
import type { TemplateChange, TemplateRegistry } from '../definitions/index.ts';
import type { ReferenceChecks } from '../entities/index.ts';
import type { Projects } from '../projects/index.ts';
import { entityUpdated } from '../records/entity.events.ts';
import type { Project } from '../records/index.ts';
import type { ScannerClient } from '../scan/index.ts';
import type { FolderChanges } from './check-changes.ts';
import { createProjectMirror, type MirrorStatus, type ProjectMirror } from './project-mirror.ts';
import type { SyncReport } from './report.ts';
import type { SyncScope } from './run-queue.ts';

export interface MirrorOptions {
  projects: Projects;
  templates: TemplateRegistry;
  bus: Bus;
  clock: Clock;
  log: Log;
  scanner: ScannerClient;
  /** Null if the project is not watched. */
  createWatcher(project: Project): Watcher | null;
  sweepIntervalMs: number | null;
  sweepOnStart: boolean;
  planOf(tenantId: string): PlanName;
  /** For a copy of an entity's file that a file-sync tool made. */
  noteConflictCopy: NoteConflictCopy;
  checks: ReferenceChecks;
}

/** Runs after a sync or in the middle of a long one; it must report its own errors. */
export type SyncListener = (project: Project) => Promise<void>;

export interface Mirror {
  /** Runs a sync, or joins the running one that covers it. */
  sync(project: Project, scope: SyncScope, options?: { force?: boolean | undefined }): Promise<SyncReport>;
  /** The differences between folder and database; changes nothing. */
  check(project: Project): Promise<FolderChanges>;
  status(project: Project): MirrorStatus;
  watcherStatus(project: Project): WatcherStatus;
  /** Stops watcher and sweep until `resume`, or until the project is opened again. */
  pause(project: Project): Promise<void>;
  /** Compares everything, too. */
  resume(project: Project): Promise<void>;
  isPaused(project: Project): boolean;
  /** Resolves when the first sync of the project and all requests since are done. */
  whenSettled(project: Project): Promise<void>;
  /** Adds work that must end before a project's folder is first compared, such as finishing interrupted operations. */
  beforeComparing(work: (project: Project) => Promise<void>): void;
  /** Calls the listener after each sync, whatever its result; `stop` waits for the listeners. */
  onSynced(listener: SyncListener): void;
  /** Calls the listener now and then during a long sync, for work that need not wait for its end. */
  onStored(listener: SyncListener): void;
}

export function createMirror(options: MirrorOptions) {
  const { projects, templates, scanner, bus, clock, log, sweepIntervalMs, sweepOnStart, planOf } = options;
  const mirrors = new Map<Project, ProjectMirror>();
  const listeners = { synced: [] as SyncListener[], stored: [] as SyncListener[] };
  const preparations: ((project: Project) => Promise<void>)[] = [];
  const listening = createBackground<Project>();
  let unsubscribe = () => {};

  function tell(project: Project, which: keyof typeof listeners): void {
    for (const listener of listeners[which]) listening.add(project, listener(project));
  }

  function of(project: Project): ProjectMirror {
    const known = mirrors.get(project);
    if (known) return known;
    const made = createProjectMirror({
      project,
      templates,
      clock,
      log,
      scanner,
      watcher: options.createWatcher(project),
      sweepIntervalMs,
      sweepOnStart,
      entitiesLimit: () => PLANS[planOf(project.tenantId)].entities_limit,
      noteConflictCopy: options.noteConflictCopy,
      checks: options.checks,
      prepared: async () => void (await Promise.all(preparations.map((prepare) => prepare(project)))),
      stored: () => tell(project, 'stored'),
      synced: () => tell(project, 'synced'),
    });
    mirrors.set(project, made);
    return made;
  }

  /** The files of changed templates and rules lead a sync to the entities that depend on them. */
  function follow(project: Project, { added, changed }: TemplateChange): void {
    const types = templates.current(project)?.types;
    const paths = [...added, ...changed].flatMap((type) => types?.get(type)?.path ?? []);
    if (paths.length > 0) mirrors.get(project)?.hint([...paths, RULES_FOLDER]);
  }

  /** A restored entity may bring assets along. */
  function followRestore(event: EventOf<typeof entityUpdated>, { tenantId, projectId }: EventOrigin): void {
    if (event.action !== 'restore') return;
    for (const [project, mirror] of mirrors) {
      if (project.tenantId !== tenantId || project.projectId !== projectId) continue;
      const folder = templates.current(project)?.types.get(event.entity_type)?.folder_name;
      if (folder !== undefined) mirror.hint([`${folder}/${event.entity_id}`]);
    }
  }

  async function close(project: Project): Promise<void> {
    await mirrors.get(project)?.stop();
    await listening.idle(project);
    mirrors.delete(project);
  }

  const mirror: Mirror = {
    sync: (project, scope, { force = false } = {}) => of(project).sync(scope, force),
    check: (project) => of(project).check(),
    status: (project) => of(project).status(),
    watcherStatus: (project) => of(project).watcherStatus(),
    pause: (project) => of(project).pause(),
    resume: (project) => of(project).resume(),
    isPaused: (project) => of(project).isPaused(),
    whenSettled: (project) => of(project).settled(),
    beforeComparing: (work) => void preparations.push(work),
    onSynced: (listener) => void listeners.synced.push(listener),
    onStored: (listener) => void listeners.stored.push(listener),
  };

  return {
    mirror,
    async start(): Promise<void> {
      templates.onChange(follow);
      templates.onWritten((project, path) => mirrors.get(project)?.hint([path]));
      templates.onFollow(async (project) => mirrors.get(project)?.settled());
      unsubscribe = bus.on(entityUpdated, followRestore);
      projects.attach({
        open: (project) => of(project).start(),
        isBusy: (project) => mirrors.get(project)?.isBusy() === true || listening.isBusy(project),
        close,
      });
    },
    async stop(): Promise<void> {
      unsubscribe();
      await Promise.all([...mirrors.values()].map((each) => each.stop()));
      await listening.idle();
      await scanner.close();
    },
  };
}
