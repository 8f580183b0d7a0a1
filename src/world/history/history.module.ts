import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { Projects } from '../projects/projects.service.ts';
import type { Project } from '../records/scope.ts';
import type { TemplateRegistry } from '../templates/templates.registry.ts';
import { forgetHistory, type HistoryLimits, type PinnedVersions } from './forget-history.ts';
import { historyRoutes } from './history.routes.ts';
import { createHistory } from './history.service.ts';
import { packHistory } from './pack-history.ts';

/** How often older versions are packed, and those outside of the limits forgotten (which looks at every entity). */
const INTERVAL_MS = 30_000;
const FORGET_INTERVAL_MS = 3_600_000;

/** The past of a project: read at a time, kept small, and forgotten where a limit says so. */
export function createHistoryModule(options: {
  projects: Projects;
  templates: TemplateRegistry;
  clock: Clock;
  log: Log;
  limits: HistoryLimits;
  pinned: PinnedVersions;
}): Module {
  const { projects, templates, clock, log, limits, pinned } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const forgetAt = new WeakMap<Project, number>();

  async function tidy(project: Project): Promise<void> {
    try {
      await packHistory(project, signal);
      if (clock.now() < (forgetAt.get(project) ?? 0)) return;
      forgetAt.set(project, clock.now() + FORGET_INTERVAL_MS);
      await forgetHistory(project, limits, { pinned, clock, signal });
    } catch (error) {
      log.warn(`the history of ${project.projectId} could not be tidied: ${messageOf(error)}`);
    }
  }

  async function keep(): Promise<void> {
    await projects.each(tidy);
    schedule();
  }

  function schedule(): void {
    if (signal.aborted) return;
    timer = setTimeout(() => {
      running = keep();
    }, INTERVAL_MS).unref();
  }

  return {
    name: 'history',
    routes: historyRoutes({ projects, history: createHistory({ templates }) }),
    async start(): Promise<void> {
      schedule();
    },
    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
