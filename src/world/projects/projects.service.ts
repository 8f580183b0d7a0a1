import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, unavailable } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { createQueue } from '../../kit/queue.ts';
import { keyOfProject, type Project, type Scope } from '../records/index.ts';
import { type Beginning, openProject, type ProjectPlaces } from './open-project.ts';

export type { Beginning, ProjectFolders } from './open-project.ts';

/** What keeps something of each project that is open. */
export interface ProjectPart {
  /** A project is opened; nobody has it yet. */
  open?(project: Project): Promise<void>;
  /** Whether work goes on in the project for which no request waits. It stays open meanwhile. */
  isBusy?(project: Project): boolean;
  /** Nobody has the project any more: lets go of all that is kept for it. */
  close?(project: Project): Promise<void>;
}

export interface BorrowedProject {
  project: Project;
  /** To be called once, when the project is not used any more. */
  release(): void;
}

export interface ProjectLimits {
  /** Projects that are open at the same time. */
  most: number;
  /** A project that nobody used for so long is closed. */
  idleMs: number;
}

/**
 * An open project costs a watch on each of its folders, of which a system gives a process some ten thousands, and the
 * index of its files in memory; opening it costs a comparison with its folder. So it stays open over a break of whoever
 * works on it, and a core of usual size holds the projects of those who work at the same time.
 */
const OPEN_PROJECTS: ProjectLimits = { most: 64, idleMs: 15 * 60_000 };

export interface Projects {
  /** The project, at once when it is open, and open until it is released. 404 for one that is not there; `create` makes it. */
  borrow(
    tenantId: string,
    projectId: string,
    options?: { create?: boolean; beginning?: Beginning },
  ): BorrowedProject | Promise<BorrowedProject>;
  /** Works on a project, which stays open meanwhile. */
  use<Result>(
    tenantId: string,
    projectId: string,
    work: (project: Project) => Promise<Result>,
  ): Promise<Result>;
  /** The project, open until the service stops. */
  open(tenantId: string, projectId: string): Promise<Project>;
  /** Projects that are open, in the order of their opening. */
  opened(): Project[];
  /** Works on the open projects in turn; none is closed during its turn. */
  each(work: (project: Project) => Promise<void>): Promise<void>;
  /** To be called before the first project is opened. They are told of opening in this order, of closing in the reverse. */
  attach(part: ProjectPart): void;
  /** Closes a project once nobody uses it; false when it is still in use after ten seconds. It can be opened anew. */
  close(tenantId: string, projectId: string): Promise<boolean>;
  start(): Promise<void>;
  /** Closes none any more; resolves when none is being closed. */
  stop(): Promise<void>;
}

export interface ProjectsOptions extends ProjectPlaces {
  limits?: ProjectLimits;
  log: Log;
}

interface Entry {
  opening: Promise<Project>;
  /** Whether it is made if it is not there. */
  create: boolean;
  /** Null until it is open. */
  project: Project | null;
  borrowers: number;
  usedAt: number;
  /** Resolves when it is gone, if it is being closed. */
  closing: Promise<void> | null;
}

/** Whether a project that is not there is made, and with what in it. */
interface Making {
  create: boolean;
  beginning: Beginning;
}

/** Who needs a project while as many as may be open are in use waits so long, and is then told to come back. */
const PATIENCE_MS = 10_000;
const LOOK_AGAIN_MS = 20;
const MOST_WAITING = 1_000;

const tooMany = () => unavailable('Too many projects are in use at this moment: try again', 5);

/** Keeps the projects open that are used, within bounds (docs/design.md, "Open projects"). */
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
    const giveUpAt = performance.now() + PATIENCE_MS;
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
      // Whoever only looked finds nothing, and must not make a simultaneous first change find nothing either.
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
      const giveUpAt = performance.now() + PATIENCE_MS;
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
