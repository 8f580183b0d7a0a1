import { LOCAL_TENANT } from '../access/local-tenant.ts';
import { systemClock } from '../kit/clock.ts';
import type { Config } from '../kit/config/index.ts';
import { silentLog } from '../kit/log.ts';
import { type Core, createCore } from '../surfaces/core.surface.ts';
import type { Project } from '../world/records/index.ts';
import { type CliContext, writeError } from './context.ts';
import { requireSelfHosted } from './project.ts';

export interface OpenProject {
  core: Core;
  project: Project;
}

/**
 * Runs `work` on one project of a core that serves no requests and watches no files unless asked to; the caller holds the data folder's lock. When
 * the process is asked to end, work stops at a safe point and an error is thrown.
 */
export async function withCore<Result>(
  context: CliContext,
  config: Config,
  projectId: string,
  work: (open: OpenProject) => Promise<Result>,
  { watch = false }: { watch?: boolean } = {},
): Promise<Result> {
  requireSelfHosted(config, 'this command');
  const log = {
    ...silentLog,
    error: (message: string) => writeError(context, message),
    flush: async () => {},
  };
  const core = await createCore({
    config,
    log: { ...log, child: () => log },
    clock: systemClock,
    watch,
    sweepOnStart: false,
    ...(context.startScanner && { startScanner: context.startScanner }),
  });
  const stop = () => void core.close();
  context.stop.addEventListener('abort', stop);
  try {
    const project = await core.projects.open(LOCAL_TENANT, projectId);
    return await work({ core, project });
  } finally {
    context.stop.removeEventListener('abort', stop);
    await core.close();
    context.stop.throwIfAborted();
  }
}
