import { type Clock, isoTime } from '../../kit/clock.ts';
import { DEFAULT_PROJECT } from '../../kit/contract.ts';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { DesktopProjectRow } from './desktop.tables.ts';
import { createDesktopProjectStore } from './desktop-projects.store.ts';

export type RegisteredProject = Omit<DesktopProjectRow, 'tenant_id'>;

/** The machine's project folders and the active one. Cached: only one process uses a data folder. */
export function createProjectRegistry({ database, clock }: { database: TenantDatabase; clock: Clock }) {
  const store = createDesktopProjectStore(database);
  let known = new Map<string, RegisteredProject>();

  async function put(project: RegisteredProject): Promise<void> {
    await store.put(project);
    known.set(project.project_id, project);
  }

  const current = (projectId: string): RegisteredProject =>
    known.get(projectId) ?? {
      project_id: projectId,
      folder: null,
      added_at: isoTime(clock.now()),
      activated_at: null,
      removed_at: null,
    };

  const here = () => [...known.values()].filter(({ removed_at }) => removed_at === null);
  const latest = (one: RegisteredProject, other: RegisteredProject) =>
    (other.activated_at ?? '').localeCompare(one.activated_at ?? '');

  return {
    async load(): Promise<void> {
      const rows = await store.list();
      known = new Map(rows.map(({ tenant_id: _, ...row }) => [row.project_id, row]));
    },
    /** Includes removed ones. */
    find: (projectId: string): RegisteredProject | undefined => known.get(projectId),
    folders: (): { projectId: string; folder: string }[] =>
      here().flatMap(({ project_id: projectId, folder }) => (folder === null ? [] : { projectId, folder })),
    active(): string {
      const [first] = here()
        .filter(({ activated_at }) => activated_at !== null)
        .sort(latest);
      return first?.project_id ?? DEFAULT_PROJECT;
    },
    add: (projectId: string, folder: string): Promise<void> =>
      put({ ...current(projectId), folder, removed_at: null }),
    remove: (projectId: string): Promise<void> =>
      put({ ...current(projectId), activated_at: null, removed_at: isoTime(clock.now()) }),
    activate: (projectId: string): Promise<void> =>
      put({ ...current(projectId), activated_at: isoTime(clock.now()) }),
    /** Undoes a failed change; undefined: it was not registered before. */
    restore: (projectId: string, before: RegisteredProject | undefined): Promise<void> =>
      put(before ?? { ...current(projectId), folder: null, removed_at: null }),
    opened: store.opened,
  };
}

export type ProjectRegistry = ReturnType<typeof createProjectRegistry>;
