import { type Clock, isoTime } from '../../kit/clock.ts';
import { DEFAULT_PROJECT } from '../../kit/contract.ts';
import { notFound, unavailable } from '../../kit/errors.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/files.ts';
import { createOwnWrites, type Project, type RecordsDb, type Scope } from '../records/index.ts';
import { ensureProjectRow, findProject } from './projects.store.ts';

/** `empty` if the caller brings content, `sample` for the starter with the sample world. */
export type Beginning = 'starter' | 'sample' | 'empty';

export interface ProjectFolders {
  open(tenantId: string, projectId: string): Promise<FileStore | null>;
  /** The tenant's projects; null where nothing but their rows names them. */
  list(tenantId: string): Promise<string[] | null>;
  create(tenantId: string, projectId: string, beginning: Beginning): Promise<FileStore>;
  /** True if a tenant's default project is created on first use. */
  makesDefault: boolean;
}

export interface ProjectPlaces {
  database: Database;
  bus: Bus;
  folders: ProjectFolders;
  clock: Clock;
  largestText: number;
}

/** A default project that existed once is not created again: its folder may be on a disk that is not mounted. */
async function isFirstUse(
  { database, folders }: ProjectPlaces,
  tenantId: string,
  projectId: string,
): Promise<boolean> {
  if (projectId !== DEFAULT_PROJECT || !folders.makesDefault) return false;
  const known = await database.tenant(tenantId).read((db: RecordsDb) => findProject(db, tenantId, projectId));
  if (known) throw unavailable('The folder of this project is missing: is its disk mounted?', 30);
  return true;
}

/** Creates both folder and row if `create` allows it. */
export async function openProject(
  places: ProjectPlaces,
  { tenantId, projectId }: Scope,
  { create, beginning }: { create: boolean; beginning: Beginning },
): Promise<Project> {
  const { database, bus, folders, clock, largestText } = places;
  // The lock is shared by all processes with the folder, so that only one of them creates it.
  const files = await database.tenant(tenantId).exclusive(`folder ${projectId}`, async () => {
    const found = await folders.open(tenantId, projectId);
    if (found) return found;
    const isNeeded = create || (await isFirstUse(places, tenantId, projectId));
    return isNeeded ? folders.create(tenantId, projectId, beginning) : null;
  });
  if (files === null) {
    throw notFound(`There is no project '${projectId}' here. An editor's first change in it creates it`, {
      code: 'no_such_project',
    });
  }
  // Numbers are unique over all tenants, so one lock covers them.
  const row = await database.system.exclusive('project-numbers', () =>
    database.system.write((db: RecordsDb) => ensureProjectRow(db, tenantId, projectId, isoTime(clock.now()))),
  );
  return {
    tenantId,
    projectId,
    number: row.number,
    files,
    ownWrites: createOwnWrites(files),
    largestText,
    database: database.tenant(tenantId),
    bus,
  };
}
