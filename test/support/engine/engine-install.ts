import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_TENANT } from '../../../src/access/local-tenant.ts';
import {
  createSync,
  type Replica,
  type ReplicaName,
  type Sync,
  type SyncLink,
} from '../../../src/exchange/sync/index.ts';
import { systemClock } from '../../../src/kit/clock.ts';
import { silentLog } from '../../../src/kit/log.ts';
import type { Project } from '../../../src/world/records/index.ts';
import type { TestCore } from '../core.ts';
import { createDisk, type Disk } from '../replicas/disk.ts';
import type { Life } from './life.ts';

const LINK: SyncLink = { url: 'memory:', by: 'signed_in' };

/** A core's project with its engine and folder. */
export interface EngineInstall {
  name: string;
  project: Project;
  disk: Disk;
  sync: Sync;
  /** As a watcher or a start does. */
  look(): Promise<void>;
  /** Unexpected errors of the engine, except those of a dead process. */
  errors: readonly string[];
  close(): Promise<unknown>;
}

interface InstallOptions {
  name: string;
  projectId: string;
  replica?: ReplicaName;
  /** Gets the project of a process that may die. */
  open(project: Project): Replica;
  life: Life;
}

export async function startEngineInstall(
  core: TestCore,
  { name, projectId, replica = 'cloud', open, life }: InstallOptions,
): Promise<EngineInstall> {
  const { templates, mirror, entities, writeMany, moveMany, recycleBin } = core;
  const folder = join(core.config.dataDir, 'projects', projectId);
  mkdirSync(folder, { recursive: true });
  const { project, release } = await core.projects.borrow(LOCAL_TENANT, projectId);
  const errors: string[] = [];
  const sync = createSync({
    replica,
    ...{ templates, mirror, entities, writeMany, moveMany, recycleBin },
    replicas: { current: async () => LINK, require: async () => LINK, open: async (at) => open(at) },
    planOf: () => 'team',
    clock: systemClock,
    log: { ...silentLog, error: (message) => void (life.isDead() || errors.push(message)) },
  });
  return {
    name,
    project,
    disk: createDisk(folder),
    sync: onMortal(sync, mortal(project, life)),
    errors,
    close() {
      release();
      return core.projects.close(LOCAL_TENANT, projectId);
    },
    async look() {
      const { error } = await mirror.sync(project, { kind: 'full' }, { force: true });
      if (error) throw new Error(error.message);
    },
  };
}

/** The project of a process that may die before any write. */
function mortal(project: Project, life: Life): Project {
  const { database, files } = project;
  return {
    ...project,
    database: dying(database, ['write'], life),
    files: dying(files, ['write', 'writeMany', 'move', 'remove', 'removeOnly', 'removeEmptyFolder'], life),
  };
}

const dying = <Port extends object>(port: Port, names: readonly (keyof Port)[], life: Life): Port =>
  new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        if (names.some((each) => each === name)) life.write();
        return Reflect.apply(value, target, given);
      };
    },
  });

const onMortal = (sync: Sync, project: Project): Sync => ({
  ...sync,
  syncNow: () => sync.syncNow(project),
  pushAll: (_project, options) => sync.pushAll(project, options),
  pullAll: (_project, options) => sync.pullAll(project, options),
});
