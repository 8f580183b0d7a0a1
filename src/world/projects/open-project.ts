import { type Clock, isoTime } from '../../kit/clock.ts';
import { DEFAULT_PROJECT } from '../../kit/contract.ts';
import { notFound, unavailable } from '../../kit/errors.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/files.ts';
import { createOwnWrites, type Project, type RecordsDb, type Scope } from '../records/index.ts';
import { ensureProjectRow, findProject } from './projects.store.ts';

/** What a project that is made has in it: the starter templates, or nothing, where what is to be in it comes along. */
export type Beginning = 'starter' | 'empty';

export interface ProjectFolders {
  /** The content folder of a project, opened; null when there is none. */
  open(tenantId: string, projectId: string): Promise<FileStore | null>;
  /** Makes the folder. */
  create(tenantId: string, projectId: string, beginning: Beginning): Promise<FileStore>;
  /** Whether a tenant's default project is made when it is first asked for. */
  makesDefault: boolean;
}

export interface ProjectPlaces {
  database: Database;
  bus: Bus;
  folders: ProjectFolders;
  clock: Clock;
  /** Bytes of a file that is read as text. */
  largestText: number;
}

/** A default project that was there once is not made anew: its folder is away, such as a disk that is not mounted. */
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

/** Folder and row of a project; both are made where `create` says so. */
export async function openProject(
  places: ProjectPlaces,
  { tenantId, projectId }: Scope,
  { create, beginning }: { create: boolean; beginning: Beginning },
): Promise<Project> {
  const { database, bus, folders, clock, largestText } = places;
  // One at a time in all processes that share the folder: of many who find none, one makes it.
  const files = await database.tenant(tenantId).exclusive(`folder ${projectId}`, async () => {
    const found = await folders.open(tenantId, projectId);
    if (found) return found;
    const isNeeded = create || (await isFirstUse(places, tenantId, projectId));
    return isNeeded ? folders.create(tenantId, projectId, beginning) : null;
  });
  if (files === null) {
    throw notFound(`There is no project '${projectId}' here. An editor's first change in it makes it`, {
      code: 'no_such_project',
    });
  }
  // Numbers are shared by all tenants, so they are given out under one lock.
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
