import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { PluginManifest } from '../../content/plugins/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, unavailable } from '../../kit/errors.ts';
import { partsOf } from '../../kit/parts.ts';
import { createQueue } from '../../kit/queue.ts';
import type { UnpackedFile } from '../../platform/archives/archives.ts';
import type { FileStore } from '../../platform/files/files.ts';
import type { Mirror } from '../mirror/index.ts';
import type { Project } from '../records/index.ts';
import { type UnpackedPlugin, withPlugin } from './plugin-archive.ts';
import type { PluginFolders } from './plugin-folders.ts';
import {
  clearStaging,
  completeReplacement,
  folderOfPlugin,
  newStagingFolder,
  placePlugin,
  recyclePlugin,
} from './plugin-moves.ts';
import type { PluginPolicy } from './plugin-policy.ts';
import { decide, type PluginsDb } from './plugin-states.store.ts';

export interface InstallOptions {
  folders: PluginFolders;
  policy: PluginPolicy;
  mirror: Mirror;
  clock: Clock;
  /** Rejects with 422 for a component that is no guest. */
  checkGuest(path: string): Promise<void>;
}

/** Of a project. */
const MOST_PLUGINS = 100;
/** Uploads that are unpacked at the same time: each may take 100 MiB of the disk. */
const AT_ONCE = 2;
const MOST_WAITING = 50;
/** Files of at most so many bytes are written many at a time; larger ones are streamed. */
const SMALL_FILE = 256 * 1024;
const FILES_AT_ONCE = 16;

export const pluginsLock = ({ projectId }: Project): string => `plugins of ${projectId}`;

/** Installs plugins into a project and removes them, each as one step (docs/plugins.md). */
export function createInstallations({ folders, policy, mirror, clock, checkGuest }: InstallOptions) {
  const inTurn = createQueue({
    atOnce: AT_ONCE,
    mostWaiting: MOST_WAITING,
    whenFull: () => unavailable('Too many plugins are uploaded at this moment: try again', 5),
  });

  const locked = <Result>(project: Project, work: () => Promise<Result>): Promise<Result> =>
    project.database.exclusive(pluginsLock(project), work);

  const mirrored = (project: Project, pluginId: string) =>
    mirror.sync(project, { kind: 'paths', paths: [folderOfPlugin(pluginId)] });

  /** Needs the lock. */
  async function completeHeld(project: Project): Promise<void> {
    const pluginId = await completeReplacement(project.files);
    if (pluginId !== null) await mirrored(project, pluginId);
  }

  async function requirePlace(project: Project, pluginId: string): Promise<void> {
    await policy.requireAllowed(project.tenantId, pluginId);
    const present = await folders(project);
    if (!present.has(pluginId) && present.size >= MOST_PLUGINS) throw tooMany();
  }

  async function place(project: Project, { manifest, files }: UnpackedPlugin, actor: string): Promise<void> {
    await completeHeld(project);
    await requirePlace(project, manifest.id);
    const staged = newStagingFolder();
    try {
      await writeAll(project.files, staged, files);
    } catch (error) {
      await clearStaging(project.files).catch(() => undefined);
      throw error;
    }
    await placePlugin(project.files, { pluginId: manifest.id, staged });
    const at = isoTime(clock.now());
    await project.database.write((db: PluginsDb) =>
      decide(db, project, manifest.id, () => ({ installed_at: at, installed_by: actor })),
    );
    await mirrored(project, manifest.id);
  }

  return {
    /** Resolves to the id of the plugin in the archive. `check` may refuse it before anything is changed. */
    install: (
      project: Project,
      archive: string,
      actor: string,
      check: (manifest: PluginManifest) => void,
    ): Promise<string> =>
      inTurn(() =>
        withPlugin(archive, async (plugin) => {
          const entry = plugin.manifest.backend?.entry;
          const component = plugin.files.find(({ path }) => path === entry);
          if (component !== undefined) await checkGuest(component.file);
          check(plugin.manifest);
          await locked(project, () => place(project, plugin, actor));
          return plugin.manifest.id;
        }),
      ),

    /** False if there is no such plugin. */
    remove: (project: Project, pluginId: string): Promise<boolean> =>
      locked(project, async () => {
        await completeHeld(project);
        const isRemoved = await recyclePlugin(project.files, pluginId);
        await mirrored(project, pluginId);
        return isRemoved;
      }),

    /** Completes an installation that a crash interrupted. */
    complete: (project: Project): Promise<void> =>
      locked(project, () => completeReplacement(project.files)).then(() => undefined),
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
