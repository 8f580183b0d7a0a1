import { type Clock, isoTime } from '../../kit/clock.ts';
import { notFound } from '../../kit/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/files.ts';
import type { RecordsDb } from '../records/records.tables.ts';
import type { Project } from '../records/scope.ts';
import { ensureProjectRow } from './projects.store.ts';

export interface ProjectFolders {
  /** The content folder of a project, opened; null when there is none. */
  open(tenantId: string, projectId: string): Promise<FileStore | null>;
  /** Makes the folder with the starter templates in it. */
  create(tenantId: string, projectId: string): Promise<FileStore>;
}

export interface Projects {
  /** The project, opened once and remembered. 404 for one that is not there; `create` makes it. */
  open(tenantId: string, projectId: string, options?: { create?: boolean }): Promise<Project>;
  /** Projects opened so far, in the order of their opening. */
  opened(): readonly Project[];
  /** Calls back for each project that is opened, those already open included. */
  onOpen(listener: (project: Project) => Promise<void>): Promise<void>;
}

export function createProjects(options: {
  database: Database;
  folders: ProjectFolders;
  clock: Clock;
}): Projects {
  const { database, folders, clock } = options;
  const known = new Map<string, Promise<Project>>();
  const opened: Project[] = [];
  const listeners: ((project: Project) => Promise<void>)[] = [];

  async function load(tenantId: string, projectId: string, create: boolean): Promise<Project> {
    const files =
      (await folders.open(tenantId, projectId)) ??
      (create ? await folders.create(tenantId, projectId) : null);
    if (files === null) {
      throw notFound(`There is no project '${projectId}' here. An editor's first change in it makes it`, {
        code: 'no_such_project',
      });
    }
    // Numbers are shared by all tenants, so they are given out under one lock.
    const row = await database.system.exclusive('project-numbers', () =>
      database.system.write((db: RecordsDb) =>
        ensureProjectRow(db, tenantId, projectId, isoTime(clock.now())),
      ),
    );
    const project = { tenantId, projectId, number: row.number, files, database: database.tenant(tenantId) };
    for (const listener of listeners) await listener(project);
    opened.push(project);
    return project;
  }

  const open: Projects['open'] = (tenantId, projectId, { create = false } = {}) => {
    const key = `${tenantId}\n${projectId}`;
    const remembered = known.get(key);
    // Whoever only looked finds nothing, and must not make a simultaneous first change find nothing either.
    if (remembered && create) return remembered.catch(() => open(tenantId, projectId, { create }));
    if (remembered) return remembered;
    const loading = load(tenantId, projectId, create);
    known.set(key, loading);
    loading.catch(() => known.delete(key));
    return loading;
  };

  return {
    open,
    opened: () => opened,
    async onOpen(listener) {
      listeners.push(listener);
      for (const project of opened) await listener(project);
    },
  };
}
