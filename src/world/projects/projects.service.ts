import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, unavailable } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { createQueue } from '../../kit/queue.ts';
import { keyOfProject, type Project, type Scope } from '../records/index.ts';
import { type Beginning, openProject, type ProjectPlaces } from './open-project.ts';

export type { Beginning, ProjectFolders } from './open-project.ts';

/** A part of the service with state for each open project. */
export interface ProjectPart {
  /** Called while a project opens, before anyone can use it. */
  open?(project: Project): Promise<void>;
  /** True while background work runs in the project, which keeps it open. */
  isBusy?(project: Project): boolean;
  /** Called when nobody uses the project any more, to release its state. */
  close?(project: Project): Promise<void>;
}

export interface BorrowedProject {
  project: Project;
  /** Must be called once, at the end of use. */
  release(): void;
}

export interface ProjectLimits {
  most: number;
  idleMs: number;
}

/**
 * An open project costs a watch per folder (a process has some ten thousand) and its file index in memory; opening one costs a
 * comparison with its folder. So it stays open over a user's break, and a core of usual size holds the projects of all active users.
 */
const OPEN_PROJECTS: ProjectLimits = { most: 64, idleMs: 15 * 60_000 };

export interface Projects {
  /** Returns the project and keeps it open until its release. 404 for a missing one unless `create` is set. */
  borrow(
    tenantId: string,
    projectId: string,
    options?: { create?: boolean; beginning?: Beginning },
  ): BorrowedProject | Promise<BorrowedProject>;
  use<Result>(
    tenantId: string,
    projectId: string,
    work: (project: Project) => Promise<Result>,
  ): Promise<Result>;
  /** Returns the project and keeps it open until the service stops. */
  open(tenantId: string, projectId: string): Promise<Project>;
  opened(): Project[];
  /** Runs `work` on one open project after another; none is closed meanwhile. */
  each(work: (project: Project) => Promise<void>): Promise<void>;
  /** Adds a part before the first project is opened. Parts are opened in this order and closed in the reverse one. */
  attach(part: ProjectPart): void;
  /** Closes a project once nobody uses it; false if it is still in use after ten seconds. It can be opened again. */
  close(tenantId: string, projectId: string): Promise<boolean>;
  start(): Promise<void>;
  /** Resolves when no project is being closed; none is closed later. */
  stop(): Promise<void>;
}

export interface ProjectsOptions extends ProjectPlaces {
  limits?: ProjectLimits;
  log: Log;
}

interface Entry {
  opening: Promise<Project>;
  create: boolean;
  project: Project | null;
  borrowers: number;
  usedAt: number;
  /** Resolves when a closing project is closed. */
  closing: Promise<void> | null;
}

interface Making {
  create: boolean;
  beginning: Beginning;
}

/** Milliseconds for which a request waits while the most projects are open and in use, before it is refused. */
const LONGEST_WAIT_MS = 10_000;
const LOOK_AGAIN_MS = 20;
const MOST_WAITING = 1_000;

const tooMany = () => unavailable('Too many projects are in use at this moment: try again', 5);

/** Keeps projects open while they are used, within limits. */
export function createProjects(options: ProjectsOptions): Projects {
  const { clock, log, limits = OPEN_PROJECTS } = options;
  const entries = new Map<string, Entry>();
  const parts: ProjectPart[] = [];
  const inTurn = createQueue({ atOnce: 1, mostWaiting: MOST_WAITING, whenFull: tooMany });
  let places = 0;
  let timer: NodeJS.Timeout | undefined;

  const openEntries = () => [...entries.values()].filter(({ project, closing }) => project && !closing);
  const isUnused = ({ project, borrowers }: Entry): boolean =>
    borrowers === 0 && project !== null && !parts.some((part) => part.isBusy?.(project));
  const unused = () => openEntries().filter(isUnused);

  async function closeParts(project: Project): Promise<void> {
    for (const part of parts.toReversed()) {
      await part
        .close?.(project)
        .catch((error: unknown) => log.error(`a project did not close well: ${messageOf(error)}`));
    }
  }

  function close(entry: Entry): Promise<void> {
    const { project } = entry;
    if (entry.closing || project === null) return Promise.resolve();
    const key = keyOfProject(project);
    entry.closing = closeParts(project).then(() => {
      entries.delete(key);
      places -= 1;
    });
    return entry.closing;
  }

  function closeIdle(): void {
    const before = clock.now() - limits.idleMs;
    for (const entry of unused()) if (entry.usedAt <= before) void close(entry);
  }

  async function takePlace(giveUpAt: number): Promise<void> {
    while (places >= limits.most) {
      const [first, ...rest] = unused();
      if (first) {
        await close(rest.reduce((oldest, entry) => (entry.usedAt < oldest.usedAt ? entry : oldest), first));
        continue;
      }
      if (performance.now() > giveUpAt) throw tooMany();
      await sleep(LOOK_AGAIN_MS);
    }
    places += 1;
  }

  async function load(scope: Scope, making: Making): Promise<Project> {
    const giveUpAt = performance.now() + LONGEST_WAIT_MS;
    await inTurn(() => takePlace(giveUpAt));
    try {
      const project = await openProject(options, scope, making);
      await openParts(project);
      return project;
    } catch (error) {
      places -= 1;
      throw error;
    }
  }

  async function openParts(project: Project): Promise<void> {
    try {
      for (const part of parts) await part.open?.(project);
    } catch (error) {
      await closeParts(project);
      throw error;
    }
  }

  function enter(scope: Scope, making: Making): Entry {
    const key = keyOfProject(scope);
    const opening = load(scope, making);
    const { create } = making;
    const entry: Entry = { opening, create, project: null, borrowers: 0, usedAt: clock.now(), closing: null };
    entries.set(key, entry);
    opening.then(
      (project) => {
        entry.project = project;
      },
      () => entries.delete(key),
    );
    return entry;
  }

  function borrowed(entry: Entry): BorrowedProject | Promise<BorrowedProject> {
    entry.borrowers += 1;
    const release = () => {
      entry.borrowers -= 1;
      entry.usedAt = clock.now();
    };
    const { project, opening } = entry;
    return project ? { project, release } : opening.then((opened) => ({ project: opened, release }));
  }

  async function borrowWhenReady(scope: Scope, making: Making): Promise<BorrowedProject> {
    for (;;) {
      const known = entries.get(keyOfProject(scope));
      if (!known) return borrowed(enter(scope, making));
      if (known.closing) {
        await known.closing;
        continue;
      }
      // A failed look-up must not make a concurrent creation fail as well.
      if (known.create || !making.create || known.project) return borrowed(known);
      await known.opening.catch(() => {});
    }
  }

  const borrow: Projects['borrow'] = (
    tenantId,
    projectId,
    { create = false, beginning = 'starter' } = {},
  ) => {
    const scope = { tenantId, projectId };
    const known = entries.get(keyOfProject(scope));
    const isReady = known?.project && !known.closing;
    return isReady ? borrowed(known) : borrowWhenReady(scope, { create, beginning });
  };

  return {
    borrow,
    async use(tenantId, projectId, work) {
      const { project, release } = await borrow(tenantId, projectId);
      return work(project).finally(release);
    },
    open: async (tenantId, projectId) => (await borrow(tenantId, projectId)).project,
    opened: () => openEntries().flatMap(({ project }) => project ?? []),
    async each(work) {
      for (const entry of openEntries()) {
        if (entry.closing || entry.project === null) continue;
        entry.borrowers += 1;
        await work(entry.project).finally(() => {
          entry.borrowers -= 1;
        });
      }
    },
    attach: (part) => void parts.push(part),
    async close(tenantId, projectId) {
      const key = keyOfProject({ tenantId, projectId });
      const giveUpAt = performance.now() + LONGEST_WAIT_MS;
      for (let entry = entries.get(key); entry; entry = entries.get(key)) {
        if (entry.closing || isUnused(entry)) await (entry.closing ?? close(entry));
        else if (performance.now() > giveUpAt) return false;
        else await sleep(LOOK_AGAIN_MS);
      }
      return true;
    },
    async start() {
      timer = setInterval(closeIdle, limits.idleMs / 4).unref();
    },
    async stop() {
      clearInterval(timer);
      await Promise.all([...entries.values()].map(({ closing }) => closing));
    },
  };
}
