import { idFromName } from '../../content/import/index.ts';
import { DEFAULT_PROJECT, isProjectId } from '../../kit/contract.ts';
import { eachAtOnce } from '../../kit/each-at-once.ts';
import { conflict } from '../../kit/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import type { RecordsDb, Scope } from '../records/index.ts';
import type { Beginning, ProjectFolders } from './open-project.ts';
import { rowsOfTenant, summaryOf } from './project-list.store.ts';
import { readProjectName, writeProjectName } from './project-name.ts';
import { LONGEST_NAME } from './projects.contract.ts';
import type { Projects } from './projects.service.ts';
import { findProject } from './projects.store.ts';

export interface ListedProject {
  id: string;
  name: string;
  entities: number;
  changed_at: string | null;
  available: boolean;
}

export interface NewProject {
  id?: string | undefined;
  name: string;
  start: Beginning;
}

/** Names are read from as many folders at once. */
const AT_ONCE = 8;
const MOST_PROJECTS = 1_000;
const MOST_TRIES = 100;

interface Options {
  projects: Pick<Projects, 'use' | 'borrow'>;
  database: Database;
  folders: ProjectFolders;
}

/** The projects of a tenant: those whose folders are there, whether opened before or not. */
export function createProjectList({ projects, database, folders }: Options) {
  const read = <Result>(tenantId: string, work: (db: RecordsDb) => Promise<Result>): Promise<Result> =>
    database.tenant(tenantId).read(work);

  async function idsOf(tenantId: string): Promise<string[]> {
    const ids = (await folders.list(tenantId)) ?? (await read(tenantId, (db) => rowsOfTenant(db, tenantId)));
    return [...new Set([DEFAULT_PROJECT, ...ids.sort()])];
  }

  const hasRow = async ({ tenantId, projectId }: Scope): Promise<boolean> =>
    (await read(tenantId, (db) => findProject(db, tenantId, projectId))) !== undefined;

  /** Null for a folder that is not there, or whose disk is away. */
  async function nameIn({ tenantId, projectId }: Scope): Promise<{ name: string | null } | null> {
    try {
      const files = await folders.open(tenantId, projectId);
      return files && { name: await readProjectName(files) };
    } catch {
      return null;
    }
  }

  async function listed(scope: Scope): Promise<ListedProject> {
    const { tenantId, projectId } = scope;
    const found = await nameIn(scope);
    const { entities, changedAt } = await read(tenantId, (db) => summaryOf(db, scope));
    const isMadeOnUse = projectId === DEFAULT_PROJECT && folders.makesDefault;
    return {
      id: projectId,
      name: found?.name ?? projectId,
      entities,
      changed_at: changedAt,
      available: found !== null || (isMadeOnUse && !(await hasRow(scope))),
    };
  }

  async function freeId(tenantId: string, { id, name }: NewProject): Promise<string> {
    const known = new Set(await idsOf(tenantId));
    if (known.size >= MOST_PROJECTS)
      throw conflict(`There are ${known.size} projects already, and more are not possible`, {
        code: 'too_many_projects',
      });
    const isTaken = async (projectId: string): Promise<boolean> =>
      known.has(projectId) || (await hasRow({ tenantId, projectId }));
    if (id !== undefined) {
      if (!(await isTaken(id))) return id;
      throw conflict(`There is or was a project '${id}' already: send another id`, { code: 'id_taken' });
    }
    for (const candidate of idsFrom(name)) if (!(await isTaken(candidate))) return candidate;
    throw conflict(`Too many projects are called '${name}': send an id`, { code: 'id_taken' });
  }

  return {
    async page(tenantId: string, { offset, limit }: { offset: number; limit: number }) {
      const ids = await idsOf(tenantId);
      const page = ids.slice(offset, offset + limit);
      const found = new Map<string, ListedProject>();
      await eachAtOnce(page, AT_ONCE, async (projectId) => {
        found.set(projectId, await listed({ tenantId, projectId }));
      });
      return { total: ids.length, projects: page.flatMap((id) => found.get(id) ?? []) };
    },

    /** 409 where the id is taken. */
    create: (tenantId: string, project: NewProject): Promise<ListedProject> =>
      database.tenant(tenantId).exclusive('new project', async () => {
        const projectId = await freeId(tenantId, project);
        const making = { create: true, beginning: project.start };
        const { project: made, release } = await projects.borrow(tenantId, projectId, making);
        await writeProjectName(made.files, project.name).finally(release);
        return listed({ tenantId, projectId });
      }),

    /** 404 for a project that is not there. */
    async rename(tenantId: string, projectId: string, name: string): Promise<ListedProject> {
      await projects.use(tenantId, projectId, ({ files }) => writeProjectName(files, name));
      return listed({ tenantId, projectId });
    },
  };
}

export type ProjectList = ReturnType<typeof createProjectList>;

/** `low_water`, `low_water_2` and so on. */
function* idsFrom(name: string): Generator<string, undefined> {
  const wanted = idFromName(name.slice(0, LONGEST_NAME)).slice(0, 60);
  const base = isProjectId(wanted) ? wanted : 'world';
  yield base;
  for (let number = 2; number <= MOST_TRIES; number += 1) yield `${base}_${number}`;
}
