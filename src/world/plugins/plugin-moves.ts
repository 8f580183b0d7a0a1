import { newId } from '../../kit/ids.ts';
import { type FileStore, FilesError } from '../../platform/files/files.ts';
import { isMap } from '../../text/json.ts';
import { binOfFile } from '../entities/index.ts';
import { PLUGINS_FOLDER } from './plugin-rows.store.ts';

/** The service's own: new plugins until they are complete. Nothing in it is content. */
const STAGING = '.canonry/plugins';
const JOURNAL = `${STAGING}/replaced.json`;

interface Replacement {
  pluginId: string;
  /** The folder with the new files. */
  staged: string;
}

export const folderOfPlugin = (pluginId: string): string => `${PLUGINS_FOLDER}/${pluginId}`;

/** A folder for the files of a plugin until it is installed. Callers hold the lock of the project's plugins. */
export const newStagingFolder = (): string => `${STAGING}/${newId()}`;

const unlessMissing =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if (error instanceof FilesError && error.code === 'not_found') return value;
    throw error;
  };

const isThere = (files: FileStore, folder: string): Promise<boolean> =>
  files.list(folder).then((entries) => entries.length > 0, unlessMissing(false));

/** Resolves to false if there is no such folder. */
export async function recyclePlugin(files: FileStore, pluginId: string): Promise<boolean> {
  const folder = folderOfPlugin(pluginId);
  return files.move(folder, binOfFile(folder)).then(() => true, unlessMissing(false));
}

/** In one step: once the journal is written, it is completed by `completeReplacement`, if not by this process. */
export async function placePlugin(files: FileStore, replacement: Replacement): Promise<void> {
  await files.write(JOURNAL, JSON.stringify(replacement));
  await complete(files, replacement);
}

/** Without its staged folder, the new plugin is in place already. */
async function complete(files: FileStore, { pluginId, staged }: Replacement): Promise<void> {
  if (await isThere(files, staged)) {
    await recyclePlugin(files, pluginId);
    await files.move(staged, folderOfPlugin(pluginId));
  }
  await files.remove(STAGING).catch(unlessMissing(undefined));
}

/** Completes what a crash interrupted, and clears what it left. Resolves to the plugin that was replaced by this. */
export async function completeReplacement(files: FileStore): Promise<string | null> {
  const bytes = await files.read(JOURNAL).catch(unlessMissing(null));
  const replacement = bytes && replacementIn(Buffer.from(bytes).toString());
  if (replacement) {
    await files.cleanTemporaryFiles();
    await complete(files, replacement);
  } else await clearStaging(files);
  return replacement?.pluginId ?? null;
}

export const clearStaging = (files: FileStore): Promise<void> =>
  files.remove(STAGING).catch(unlessMissing(undefined));

function replacementIn(text: string): Replacement | null {
  const journal: unknown = JSON.parse(text);
  if (!isMap(journal)) return null;
  const { pluginId, staged } = journal;
  return typeof pluginId === 'string' && typeof staged === 'string' ? { pluginId, staged } : null;
}
