import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Log } from '../../kit/log.ts';
import type { Database } from '../../platform/database/database.ts';
import { type Projects, projectsModule } from '../projects/index.ts';
import { removeTenantRows } from './tenant-rows.store.ts';

/** The accounts service's list of ended tenants. Each method rejects if the service does not respond. */
export interface EndedTenantsPort {
  /** Ids of tenants whose content must be removed. */
  endedTenants(): Promise<string[]>;
  /** Reports that a tenant's content is gone. */
  forgetTenant(tenantId: string): Promise<void>;
}

export interface TenantRemovalOptions {
  accounts: EndedTenantsPort;
  projects: Pick<Projects, 'opened' | 'close'>;
  database: Database;
  removeFolders(tenantId: string, signal: AbortSignal): Promise<void>;
  log: Log;
  everyMs: number;
}

/**
 * Removes the content of ended tenants: folders, rows, settings; a tenant's own storage stays. One core at a time removes a tenant;
 * an interrupted removal is repeated, and the account goes last.
 */
export function createTenantRemoval(options: TenantRemovalOptions) {
  const { accounts, projects, database, removeFolders, log, everyMs } = options;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  const stopping = new AbortController();
  let problem = '';

  async function closeProjects(tenantId: string): Promise<void> {
    for (const project of projects.opened().filter((each) => each.tenantId === tenantId))
      if (!(await projects.close(tenantId, project.projectId)))
        throw new Error(`project ${project.projectId} of tenant ${tenantId} is still in use`);
  }

  async function remove(tenantId: string): Promise<void> {
    await closeProjects(tenantId);
    await removeFolders(tenantId, stopping.signal);
    await removeTenantRows(database, tenantId, stopping.signal);
    await accounts.forgetTenant(tenantId);
    log.info(`the content of tenant ${tenantId} is removed`);
  }

  /** Removes what it can: a tenant that cannot be removed now does not block the others. Returns the problems. */
  async function removeEnded(): Promise<string[]> {
    const problems: string[] = [];
    const note = (error: unknown) => void problems.push(messageOf(error));
    const ended = await accounts.endedTenants().catch(note);
    for (const tenantId of ended ?? []) {
      if (stopping.signal.aborted) break;
      const isDoneElsewhere = async () => {};
      await database.system
        .ifFree(`removal of tenant ${tenantId}`, () => remove(tenantId), isDoneElsewhere)
        .catch(note);
    }
    return problems;
  }

  async function removeAndReport(): Promise<void> {
    const found = (await removeEnded()).join('; ');
    if (found !== '' && found !== problem && !stopping.signal.aborted)
      log.warn(`the content of deleted tenants is not removed yet: ${found}`);
    problem = found;
  }

  function schedule(): void {
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      working = removeAndReport().then(schedule);
    }, everyMs).unref();
  }

  return {
    async start() {
      schedule();
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await working;
    },
  };
}

export type TenantRemovalContext = CoreContext & {
  tenantRemoval: Pick<TenantRemovalOptions, 'accounts' | 'removeFolders' | 'everyMs'>;
};

export const tenantRemovalModule = defineModule({
  name: 'tenant-removal',
  uses: { projects: projectsModule },
  create: ({ database, log, tenantRemoval }: TenantRemovalContext, { projects }) =>
    createTenantRemoval({ ...tenantRemoval, projects, database, log: log.child('tenants') }),
});
