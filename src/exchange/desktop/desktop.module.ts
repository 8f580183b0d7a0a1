import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { chatModule } from '../../world/chat/index.ts';
import { mirrorModule } from '../../world/mirror/index.ts';
import { modelsModule } from '../../world/models/index.ts';
import { projectsModule } from '../../world/projects/index.ts';
import { cloudSyncModule } from '../cloud/index.ts';
import { createActiveProject } from './active-project.ts';
import { assistantRoutes } from './assistant.routes.ts';
import type { CloudAccounts } from './cloud-accounts.ts';
import type { OpenCloudSocket } from './cloud-socket.ts';
import { desktopMigrations } from './desktop.tables.ts';
import { desktopProjectRoutes } from './desktop-projects.routes.ts';
import { createDesktopProjects, type Folders } from './desktop-projects.service.ts';
import { desktopSyncRoutes } from './desktop-sync.routes.ts';
import { listeningRoutes } from './listening.routes.ts';
import { createListening, type ReconnectTiming } from './listening.service.ts';
import type { ProjectRegistry } from './project-registry.ts';
import { signInRoutes } from './sign-in.routes.ts';
import { createSignIn } from './sign-in.service.ts';
import { watcherRoutes } from './watcher.routes.ts';

export interface DesktopContext extends Pick<CoreContext, 'clock' | 'log'> {
  registry: ProjectRegistry;
  desktopFolders: Folders;
  cloudAccounts: CloudAccounts;
  openSocket: OpenCloudSocket;
  /** The machine's name as shown to users. */
  machine: string;
  /** Tests reconnect sooner. */
  timing?: ReconnectTiming | undefined;
}

/** The routes that an installation on a user's own machine has beyond a core's (spec 1 §4.8). */
export const desktopModule = defineModule({
  name: 'desktop',
  tags: {
    Desktop:
      'An install on somebody’s own machine: its folders, its sign-in to a cloud, sync with it, and questions about the world.',
  },
  uses: {
    projects: projectsModule,
    chat: chatModule,
    models: modelsModule,
    mirror: mirrorModule,
    sync: cloudSyncModule,
  },
  tables: desktopMigrations,
  create(context: DesktopContext, { projects, chat, models, mirror, sync }) {
    const {
      registry,
      desktopFolders: folders,
      cloudAccounts: cloud,
      openSocket,
      clock,
      machine,
      timing,
    } = context;
    const log = context.log.child('desktop');
    const activeProject = createActiveProject({ projects });
    const listening = createListening({
      links: sync.links,
      hint: sync.hint,
      openSocket,
      clock,
      log,
      ...(timing && { timing }),
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
      cloud,
      clock,
      log,
      machine,
      changed: listening.disconnect,
    });
    const { active } = registry;
    return {
      routes: [
        ...desktopProjectRoutes({ desktopProjects, projects, mirror }),
        ...watcherRoutes({ projects, mirror, active }),
        ...desktopSyncRoutes({ projects, sync }),
        ...assistantRoutes({ ...chat, models }),
        ...signInRoutes(signIn),
        ...listeningRoutes({ listening, active }),
      ],
      start: desktopProjects.holdActive,
      async stop() {
        signIn.stop();
        await listening.disconnect();
      },
    };
  },
});
