import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import { changesetsModule } from '../changesets/index.ts';
import { templatesModule } from '../definitions/index.ts';
import { type Projects, projectsModule } from '../projects/index.ts';
import type { Project } from '../records/index.ts';
import { forgetHistory, type HistoryLimits, type PinnedVersions } from './forget-history.ts';
import { historyRoutes } from './history.routes.ts';
import { createHistory } from './history.service.ts';
import { packHistory } from './pack-history.ts';

/** Between runs that pack older versions and remove those outside the limits, which checks every entity (milliseconds). */
const INTERVAL_MS = 30_000;
const FORGET_INTERVAL_MS = 3_600_000;

interface TidyingOptions {
  projects: Projects;
  clock: Clock;
  log: Log;
  limits: HistoryLimits;
  pinned: PinnedVersions;
}

/** Packs and limits the history of open projects, in the background. */
function createTidying({ projects, clock, log, limits, pinned }: TidyingOptions) {
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

/** The past of a project: read at a time, packed, and limited. */
export const historyModule = defineModule({
  name: 'history',
  uses: { projects: projectsModule, templates: templatesModule, changesets: changesetsModule },
  create({ config, clock, log }: CoreContext, { projects, templates, changesets: { changesets } }) {
    const tidying = createTidying({
      projects,
      clock,
      log: log.child('history'),
      limits: { versions: config.historyKeepVersions, days: config.historyKeepDays },
      pinned: changesets.neededVersions,
    });
    return { ...tidying, routes: historyRoutes({ projects, history: createHistory({ templates }) }) };
  },
});
