import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { PlanName } from '../../access/plans.ts';
import type { PluginManifest } from '../../content/plugins/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, unavailable } from '../../kit/errors.ts';
import { partsOf } from '../../kit/parts.ts';
import { createFairQueue } from '../../kit/queue.ts';
import type { UnpackedFile } from '../../platform/archives/archives.ts';
import type { FileStore } from '../../platform/files/files.ts';
import { type Mirror, succeeded } from '../mirror/index.ts';
import type { Project, RecordsDb, StorageRoom } from '../records/index.ts';
import { type UnpackedPlugin, withPlugin } from './plugin-archive.ts';
import type { PluginFolders } from './plugin-folders.ts';
import {
  clearStaging,
  completeReplacement,
  folderOfPlugin,
  isInterrupted,
  newStagingFolder,
  placePlugin,
  type RecordInstalled,
  recyclePlugin,
  trimFormerVersions,
} from './plugin-moves.ts';
import type { PluginPolicy } from './plugin-policy.ts';
import { bytesOfPlugin } from './plugin-rows.store.ts';
import { decide, forgetAnswers, listDecisions, type PluginsDb } from './plugin-states.store.ts';

export interface InstallOptions {
  folders: PluginFolders;
  policy: PluginPolicy;
  mirror: Mirror;
  clock: Clock;
  room: StorageRoom;
  /** Rejects with 422 for a component that is no guest. */
  checkGuest(path: string): Promise<void>;
}

export interface InstallRequest<Result> {
  by: string;
  /** Its storage has to hold the plugin. */
  plan: PlanName;
  /** May refuse the plugin before anything is changed. */
  check?: ((manifest: PluginManifest) => void) | undefined;
  /** Called with the plugin's id before another installation can replace it. */
  installed(pluginId: string): Promise<Result>;
}

/** Of a project. */
const MOST_PLUGINS = 100;
/** Uploads that are unpacked at the same time: each may take 100 MiB of the disk. */
const AT_ONCE = 2;
const MOST_WAITING = 50;
const OF_TENANT = { atOnce: 1, mostWaiting: 25 };
/** Files of at most so many bytes are written many at a time; larger ones are streamed. */
const SMALL_FILE = 256 * 1024;
const FILES_AT_ONCE = 16;

/** Held while folders are moved, and by each decision about a plugin; no save waits for it. */
export const pluginsLock = ({ projectId }: Project): string => `plugins of ${projectId}`;

/**
 * Held from the first file until the rows follow, which can take minutes: others decide about plugins meanwhile. Only its holder writes to
 * the staging folder and clears it.
 */
const installLock = ({ projectId }: Project): string => `installations of ${projectId}`;

/** Installs plugins into a project and removes them, each as one step (docs/plugins.md). */
export function createInstallations({ folders, policy, mirror, clock, room, checkGuest }: InstallOptions) {
  const inTurn = createFairQueue({
    atOnce: AT_ONCE,
    mostWaiting: MOST_WAITING,
    ofOwner: OF_TENANT,
    whenFull: () => unavailable('Too many plugins are uploaded at this moment: try again', 5),
  });

  const locked = <Result>(project: Project, work: () => Promise<Result>): Promise<Result> =>
    project.database.exclusive(pluginsLock(project), work);

  const oneByOne = <Result>(project: Project, work: () => Promise<Result>): Promise<Result> =>
    project.database.exclusive(installLock(project), work);

  const mirrored = async (project: Project, pluginIds: readonly (string | null)[]): Promise<void> => {
    const paths = pluginIds.flatMap((id) => (id === null ? [] : [folderOfPlugin(id)]));
    if (paths.length > 0) succeeded(await mirror.sync(project, { kind: 'paths', paths }));
  };

  const recordFor =
    (project: Project): RecordInstalled =>
    ({ pluginId, at, by }) =>
      project.database.write((db: PluginsDb) =>
        decide(db, project, pluginId, () => ({ installed_at: at, installed_by: by })),
      );

  /** What this version does not ask for waits for consent if a later one does. */
  const forgetUnasked = (project: Project, { id, permissions }: PluginManifest): Promise<void> =>
    project.database.write((db: PluginsDb) =>
      decide(db, project, id, ({ answers }) => ({
        answers: Object.fromEntries(
          Object.entries(answers).filter(([permission]) => permissions.some((asked) => asked === permission)),
        ),
      })),
    );

  /** Needs the lock of installations. Resolves to the plugin whose interrupted installation this completed. */
  const completeHeld = (project: Project): Promise<string | null> =>
    locked(project, () => completeReplacement(project.files, recordFor(project)));

  async function requirePlace(project: Project, pluginId: string): Promise<void> {
    await policy.requireAllowed(project.tenantId, pluginId);
    const present = await folders(project);
    if (!present.has(pluginId) && present.size >= MOST_PLUGINS) throw tooMany();
  }

  /** Needs the lock of installations. Resolves to the folder with the files. */
  async function stage(project: Project, { files }: UnpackedPlugin): Promise<string> {
    const staged = newStagingFolder();
    try {
      await writeAll(project.files, staged, files);
    } catch (error) {
      await clearStaging(project.files).catch(() => undefined);
      throw error;
    }
    return staged;
  }

  /** 402 if the plan has no storage for what this has more than the version before. */
  async function holdRoom(project: Project, { manifest, files }: UnpackedPlugin, plan: PlanName) {
    const before = await project.database.read((db: RecordsDb) => bytesOfPlugin(db, project, manifest.id));
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    return room.hold(project, plan, Math.max(0, bytes - before));
  }

  async function installUnpacked<Result>(
    project: Project,
    plugin: UnpackedPlugin,
    { by, plan, check, installed }: InstallRequest<Result>,
  ): Promise<Result> {
    check?.(plugin.manifest);
    const { id, backend } = plugin.manifest;
    const component = plugin.files.find(({ path }) => path === backend?.entry);
    if (component !== undefined) await checkGuest(component.file);
    return oneByOne(project, async () => {
      const held = await holdRoom(project, plugin, plan);
      try {
        const completed = await completeHeld(project);
        await requirePlace(project, id);
        const staged = await stage(project, plugin);
        const replacement = { pluginId: id, staged, by, at: isoTime(clock.now()) };
        await locked(project, async () => {
          await forgetUnasked(project, plugin.manifest);
          await placePlugin(project.files, replacement, recordFor(project));
        });
        // A version that cannot be removed now goes with the next one.
        await trimFormerVersions(project.files).catch(() => undefined);
        await mirrored(project, [completed, id]);
      } finally {
        await held.release();
      }
      return installed(id);
    });
  }

  async function missingWithGrants(project: Project): Promise<string[]> {
    const decided = await project.database.read((db: PluginsDb) => listDecisions(db, project));
    const asked = [...decided].filter(([, { answers }]) => Object.keys(answers).length > 0);
    if (asked.length === 0) return [];
    const present = await folders(project);
    return asked.map(([id]) => id).filter((id) => !present.has(id));
  }

  /** Needs the lock of the plugins. */
  async function forgetGrantsOfMissing(project: Project): Promise<string[]> {
    const missing = await missingWithGrants(project);
    for (const id of missing) await project.database.write((db: PluginsDb) => forgetAnswers(db, project, id));
    return missing;
  }

  return {
    /** Installs the plugin in the archive. */
    install: <Result>(project: Project, archive: string, request: InstallRequest<Result>): Promise<Result> =>
      inTurn(project.tenantId, () =>
        withPlugin(archive, (plugin) => installUnpacked(project, plugin, request)),
      ),

    /** False if there is no such plugin. */
    remove: (project: Project, pluginId: string): Promise<boolean> =>
      oneByOne(project, async () => {
        const completed = await completeHeld(project);
        const isRemoved = await locked(project, () =>
          recyclePlugin(project.files, pluginId, isoTime(clock.now())),
        );
        await trimFormerVersions(project.files).catch(() => undefined);
        await mirrored(project, [completed, pluginId]);
        return isRemoved;
      }),

    /** Completes an installation that a crash interrupted, or waits until one under way has moved its folders; the caller compares folder and rows. */
    complete: (project: Project): Promise<void> =>
      project.database.ifFree(
        installLock(project),
        async () => void (await completeHeld(project)),
        () => locked(project, async () => undefined),
      ),

    /**
     * Forgets what was granted to plugins whose folders are gone, so that others of the same ids have to ask. Resolves to their ids, to none
     * while a plugin is installed or removed here.
     */
    async forgetMissing(project: Project): Promise<string[]> {
      // Every sync asks, and nearly none has to lock anything.
      if ((await missingWithGrants(project)).length === 0) return [];
      return project.database.ifFree(
        installLock(project),
        () => locked(project, () => forgetGrantsOfMissing(project)),
        async () => [],
      );
    },

    /** Completes what another process left while the project is open here. Resolves to the plugin's id. */
    async takeOver(project: Project): Promise<string | null> {
      if (!(await isInterrupted(project.files))) return null;
      const completed = await project.database.ifFree(
        installLock(project),
        () => completeHeld(project),
        async () => null,
      );
      await mirrored(project, [completed]);
      return completed;
    },
  };
}

export type Installations = ReturnType<typeof createInstallations>;

async function writeAll(store: FileStore, folder: string, files: readonly UnpackedFile[]): Promise<void> {
  const small = files.filter(({ size }) => size <= SMALL_FILE);
  for (const part of partsOf(small, FILES_AT_ONCE)) {
    const writes = part.map(async ({ path, file }) => ({
      path: `${folder}/${path}`,
      content: await readFile(file),
      ifAbsent: true,
    }));
    const results = await store.writeMany(await Promise.all(writes));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
  for (const { path, file, size } of files)
    if (size > SMALL_FILE) await store.write(`${folder}/${path}`, createReadStream(file), { ifAbsent: true });
}

const tooMany = () =>
  conflict(`A project may have ${MOST_PLUGINS} plugins: remove one first`, { code: 'too_many_plugins' });
