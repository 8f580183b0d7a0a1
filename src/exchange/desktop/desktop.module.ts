import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { Entities } from '../../world/entities/entities.service.ts';
import type { Mirror } from '../../world/mirror/mirror.service.ts';
import type { Projects } from '../../world/projects/projects.service.ts';
import type { CloudSync } from '../cloud-sync/cloud-sync.ts';
import { createActiveProject } from './active-project.ts';
import { assistantRoutes } from './assistant.routes.ts';
import { createAssistant } from './assistant.service.ts';
import type { CloudAccounts } from './cloud-accounts.ts';
import type { OpenCloudSocket } from './cloud-socket.ts';
import { desktopProjectRoutes } from './desktop-projects.routes.ts';
import { createDesktopProjects, type Folders } from './desktop-projects.service.ts';
import { desktopSyncRoutes } from './desktop-sync.routes.ts';
import { listeningRoutes } from './listening.routes.ts';
import { createListening, type Patience } from './listening.service.ts';
import type { ProjectRegistry } from './project-registry.ts';
import { signInRoutes } from './sign-in.routes.ts';
import { createSignIn } from './sign-in.service.ts';
import { watcherRoutes } from './watcher.routes.ts';

export interface DesktopModuleOptions {
  registry: ProjectRegistry;
  folders: Folders;
  projects: Projects;
  entities: Pick<Entities, 'search'>;
  mirror: Mirror;
  sync: CloudSync;
  cloud: CloudAccounts;
  openSocket: OpenCloudSocket;
  clock: Clock;
  log: Log;
  /** What people know this machine by. */
  machine: string;
  patience?: Patience | undefined;
}

/** What an install on somebody's own machine has more than a core (spec 1 §4.8). */
export function createDesktopModule(options: DesktopModuleOptions): Module {
  const { registry, folders, projects, mirror, sync, clock, log, machine } = options;
  const activeProject = createActiveProject({ projects });
  const listening = createListening({
    links: sync.links,
    hint: sync.hint,
    openSocket: options.openSocket,
    clock,
    log,
    ...(options.patience && { patience: options.patience }),
  });
  const desktopProjects = createDesktopProjects({
    registry,
    folders,
    projects,
    activeProject,
    log,
    activated: listening.follow,
  });
  const signIn = createSignIn({
    links: sync.links,
    cloud: options.cloud,
    clock,
    log,
    machine,
    changed: listening.disconnect,
  });
  const { active } = registry;
  return {
    name: 'desktop',
    routes: [
      ...desktopProjectRoutes({ desktopProjects, projects, mirror }),
      ...watcherRoutes({ projects, mirror, active }),
      ...desktopSyncRoutes({ projects, sync }),
      ...assistantRoutes({ projects, assistant: createAssistant({ entities: options.entities }) }),
      ...signInRoutes(signIn),
      ...listeningRoutes({ listening, active }),
    ],
    start: desktopProjects.holdActive,
    async stop() {
      signIn.stop();
      await listening.disconnect();
    },
  };
}
