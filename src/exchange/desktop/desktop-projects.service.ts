import { realpath } from 'node:fs/promises';
import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import { DEFAULT_PROJECT } from '../../kit/contract.ts';
import { conflict, messageOf, notFound, unavailable } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { createQueue } from '../../kit/queue.ts';
import type { Projects } from '../../world/projects/index.ts';
import type { ActiveProject } from './active-project.ts';
import { nameOf, realFolder, requireApart } from './project-folder.ts';
import type { ProjectRegistry } from './project-registry.ts';

/** The surface's access to the machine's folders. */
export interface Folders {
  /** Where a project without a folder of its own lies. */
  ownFolder(projectId: string): string;
  dataDir: string;
  isThere(folder: string): Promise<boolean>;
  /** Fills a new or empty folder; returns false for any other. */
  fill(folder: string): Promise<boolean>;
}

export interface DesktopProjectsOptions {
  registry: ProjectRegistry;
  folders: Folders;
  projects: Pick<Projects, 'close'>;
  activeProject: ActiveProject;
  /** Called when another project becomes active. */
  activated(projectId: string): void;
  log: Log;
}

export interface NewProject {
  path: string;
  name?: string | undefined;
  starter?: boolean | undefined;
}

export interface ShownProject {
  name: string;
  path: string;
  active: boolean;
  default: boolean;
  available: boolean;
  entities: number;
  added_at: string | null;
}

interface AddedProject {
  project: ShownProject;
  /** False if the folder already is this project. */
  isNew: boolean;
}

const MOST_WAITING = 100;
const tooMany = () => unavailable('Too many projects are added or removed at once: try again');

const unknown = (name: string) =>
  notFound(`There is no project '${name}' on this machine: POST /api/desktop/projects adds its folder`, {
    code: 'no_such_project',
  });

/** Resolves links; a missing folder stays as written. */
const real = (path: string): Promise<string> => realpath(path).catch(() => path);

/** The machine's folders that are projects (spec 1 §4.8). */
export function createDesktopProjects(options: DesktopProjectsOptions) {
  const { registry, folders, projects, activeProject, activated, log } = options;
  // Serialized, so that each addition sees the previous one.
  const inTurn = createQueue({ atOnce: 1, mostWaiting: MOST_WAITING, whenFull: tooMany });

  const folderOf = (projectId: string): string =>
    registry.find(projectId)?.folder ?? folders.ownFolder(projectId);

  async function shown(projectId: string, entities: number): Promise<ShownProject> {
    const path = folderOf(projectId);
    return {
      name: projectId,
      path,
      active: registry.active() === projectId,
      default: projectId === DEFAULT_PROJECT,
      available: await folders.isThere(path),
      entities,
      added_at: registry.find(projectId)?.added_at ?? null,
    };
  }

  /** Registered projects and those in the default place. */
  async function all(): Promise<Map<string, number>> {
    const opened = await registry.opened();
    const names = [
      DEFAULT_PROJECT,
      ...opened.keys(),
      ...registry.folders().map(({ projectId }) => projectId),
    ];
    const here = [...new Set(names)].filter((name) => !registry.find(name)?.removed_at);
    return new Map(here.map((name) => [name, opened.get(name) ?? 0]));
  }

  async function one(name: string): Promise<ShownProject> {
    const entities = (await all()).get(name);
    if (entities === undefined) throw unknown(name);
    return shown(name, entities);
  }

  /** A project's rows belong to one folder; another may take its name only if it is the same folder, moved. */
  async function requireFreeName(name: string, folder: string): Promise<void> {
    const before = registry.find(name);
    const isHere = (await all()).has(name);
    const place = before || isHere ? folderOf(name) : null;
    if (place === null || place === folder) return;
    if (before?.folder && !(await folders.isThere(place))) return;
    throw conflict(
      isHere
        ? `There is a project '${name}' already, in ${place}: send another name`
        : `'${name}' was the project in ${place}, whose history is kept: send another name for ${folder}`,
      { code: 'name_taken' },
    );
  }

  async function knownFolders(): Promise<{ projectId: string; folder: string }[]> {
    const folder = await real(folders.ownFolder(DEFAULT_PROJECT));
    return [...registry.folders(), { projectId: DEFAULT_PROJECT, folder }];
  }

  async function add({ path, name, starter = false }: NewProject): Promise<AddedProject> {
    const folder = await realFolder(path, { mayBeNew: starter });
    const others = await knownFolders();
    const known = others.find((each) => each.folder === folder);
    if (known) {
      if (name === undefined || name === known.projectId)
        return { project: await one(known.projectId), isNew: false };
      throw conflict(`${folder} is the project '${known.projectId}' already`, { code: 'folder_known' });
    }
    const projectId = name ?? nameOf(folder);
    await requireFreeName(projectId, folder);
    requireApart(folder, {
      own: await real(folders.dataDir),
      projects: others.filter((each) => each.projectId !== projectId),
    });
    if (starter && !(await folders.fill(folder)))
      throw conflict(`${folder} is not empty, and nothing in it was changed: add it without starter`, {
        code: 'folder_not_empty',
      });
    await change(projectId, () => registry.add(projectId, folder));
    return { project: await one(projectId), isNew: true };
  }

  /** Closes the project around the change, so that the next user opens it afresh. */
  async function change(projectId: string, apply: () => Promise<void>): Promise<void> {
    const before = registry.find(projectId);
    const wasActive = registry.active() === projectId;
    if (wasActive) activeProject.release();
    await apply();
    const isClosed = await projects.close(LOCAL_TENANT, projectId);
    if (!isClosed) await registry.restore(projectId, before);
    if (wasActive) await holdActive();
    if (wasActive) activated(registry.active());
    if (isClosed) return;
    throw conflict(`'${projectId}' is still busy: wait until its work is done, then try again`, {
      code: 'project_busy',
    });
  }

  /** A folder that is missing, as on an unmounted disk, is reported to whoever requests the project. */
  async function holdActive(): Promise<void> {
    const name = registry.active();
    await activeProject
      .hold(name)
      .catch((error: unknown) => log.warn(`the active project '${name}' is not open: ${messageOf(error)}`));
  }

  return {
    async list(): Promise<{ projects: ShownProject[]; active: string }> {
      const known = await all();
      const shownOnes = await Promise.all([...known].map(([name, entities]) => shown(name, entities)));
      return { projects: shownOnes, active: registry.active() };
    },

    /** 422 if it is not a folder, 409 if it overlaps with another project. */
    add: (project: NewProject) => inTurn(() => add(project)),

    /** Closes a project and forgets it; its folder and rows stay. 409 for the default project, and while work goes on. */
    remove: (name: string): Promise<void> =>
      inTurn(async () => {
        if (name === DEFAULT_PROJECT)
          throw conflict('The default project is that of CONTENT_DIR and stays', { code: 'default_project' });
        await one(name);
        await change(name, () => registry.remove(name));
      }),

    activate: (name: string): Promise<ShownProject> =>
      inTurn(async () => {
        await one(name);
        await activeProject.hold(name);
        await registry.activate(name);
        activated(name);
        return one(name);
      }),

    /** Throws 404 for an unknown project. */
    require: async (name: string): Promise<void> => void (await one(name)),
    active: registry.active,
    holdActive,
  };
}

export type DesktopProjects = ReturnType<typeof createDesktopProjects>;
