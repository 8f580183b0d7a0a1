import { isPluginId } from '../../content/plugins/index.ts';
import { newId } from '../../kit/ids.ts';
import { type FileStore, FilesError, type FilesErrorCode } from '../../platform/files/files.ts';
import { isMap } from '../../text/json.ts';
import { FILES_BIN } from '../texts/index.ts';
import { MANIFEST, PLUGINS_FOLDER } from './plugin-rows.store.ts';

/** The service's own: new plugins until they are complete. Nothing in it is content. */
const STAGING = '.canonry/plugins';
const JOURNAL = `${STAGING}/replaced.json`;
const STAGED = /^\.canonry\/plugins\/[\w-]+$/;

export interface Replacement {
  pluginId: string;
  /** The folder with the new files. */
  staged: string;
  by: string;
  at: string;
}

/** Stores that a plugin was installed. It may be called again for the same replacement. */
export type RecordInstalled = (replacement: Replacement) => Promise<void>;

/** With these nothing has moved, and would not the next time either: a link is in the way, or the folder cannot be written. */
const REFUSALS: ReadonlySet<FilesErrorCode> = new Set([
  'no_permission',
  'not_a_file',
  'not_a_folder',
  'outside',
  'read_only',
]);

export const folderOfPlugin = (pluginId: string): string => `${PLUGINS_FOLDER}/${pluginId}`;

/** A folder for the files of a plugin until it is installed. */
export const newStagingFolder = (): string => `${STAGING}/${newId()}`;

const unlessMissing =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if (error instanceof FilesError && error.code === 'not_found') return value;
    throw error;
  };

/** Former versions of a plugin that the recycle bin keeps: somebody who develops one uploads it every minute. */
const KEPT_VERSIONS = 3;
/** And of all plugins: their bytes do not count towards the plan. */
const KEPT_IN_ALL = 10;

const binsOf = (pluginId: string): string => `plugin-${pluginId}~`;
const BIN = /^plugin-([a-z0-9-]+)~(.+)$/;

/** Resolves to false if there is no such folder. `at` is the present time, in ISO 8601. */
export async function recyclePlugin(files: FileStore, pluginId: string, at: string): Promise<boolean> {
  const folder = folderOfPlugin(pluginId);
  // In the order of time, and not the same twice.
  const bin = `${binsOf(pluginId)}${at.replaceAll(/\W/g, '')}-${newId().slice(0, 8)}`;
  return files.move(folder, `${FILES_BIN}/${bin}/${folder}`).then(() => true, unlessMissing(false));
}

/** Removes all but the newest former versions from the recycle bin. */
export async function trimFormerVersions(files: FileStore): Promise<void> {
  const entries = await files.list(FILES_BIN).catch(unlessMissing([]));
  const bins = entries.flatMap(({ name }) => {
    const [, pluginId = '', at = ''] = BIN.exec(name) ?? [];
    return pluginId === '' ? [] : [{ name, pluginId, at }];
  });
  const newestFirst = bins.sort((one, other) => (one.at < other.at ? 1 : -1));
  const kept = [...Map.groupBy(newestFirst, ({ pluginId }) => pluginId).values()].flatMap((versions) =>
    versions.slice(0, KEPT_VERSIONS),
  );
  const keptInAll = new Set(newestFirst.filter((bin) => kept.includes(bin)).slice(0, KEPT_IN_ALL));
  for (const bin of bins) if (!keptInAll.has(bin)) await files.remove(`${FILES_BIN}/${bin.name}`);
}

/** In one step: once the journal is written, it is completed by `completeReplacement`, if not by this process. */
export async function placePlugin(
  files: FileStore,
  replacement: Replacement,
  record: RecordInstalled,
): Promise<void> {
  if ((await files.stat(`${replacement.staged}/${MANIFEST}`)) === undefined)
    throw new Error('the files of the plugin are gone: another process has cleared them');
  await files.write(JOURNAL, JSON.stringify(replacement));
  await complete(files, replacement, record);
}

/** Without its staged folder, the new plugin is in place already. */
async function complete(files: FileStore, replacement: Replacement, record: RecordInstalled): Promise<void> {
  const { pluginId, staged, at } = replacement;
  if ((await files.stat(`${staged}/${MANIFEST}`)) !== undefined) {
    let isRecycled = false;
    try {
      isRecycled = await recyclePlugin(files, pluginId, at);
      await files.move(staged, folderOfPlugin(pluginId));
    } catch (error) {
      if (!isRecycled && error instanceof FilesError && REFUSALS.has(error.code)) await clearStaging(files);
      throw error;
    }
  }
  await record(replacement);
  await clearStaging(files);
}

export const isInterrupted = async (files: FileStore): Promise<boolean> =>
  (await files.stat(JOURNAL)) !== undefined;

/** Completes what a crash interrupted, and clears what it left. Resolves to the plugin that was replaced by this. */
export async function completeReplacement(files: FileStore, record: RecordInstalled): Promise<string | null> {
  const journal = await files.read(JOURNAL).catch(unlessMissing(null));
  const replacement = journal && replacementIn(Buffer.from(journal).toString());
  if (!replacement) {
    await clearStaging(files);
    return null;
  }
  // In object storage, half of a move may be left.
  await files.cleanTemporaryFiles();
  await complete(files, replacement, record);
  return replacement.pluginId;
}

/** The journal goes first: without it nothing of the folder counts, however much of it a crash leaves. */
export async function clearStaging(files: FileStore): Promise<void> {
  await files.remove(JOURNAL).catch(unlessMissing(undefined));
  await files.remove(STAGING).catch(unlessMissing(undefined));
}

/** Null for a journal that is not ours: a world from elsewhere may bring one, and nothing but staged plugins may move. */
function replacementIn(text: string): Replacement | null {
  const journal = jsonIn(text);
  if (!isMap(journal)) return null;
  const { pluginId, staged, by, at } = journal;
  const isWhole =
    typeof pluginId === 'string' &&
    isPluginId(pluginId) &&
    typeof staged === 'string' &&
    STAGED.test(staged) &&
    typeof by === 'string' &&
    typeof at === 'string';
  return isWhole ? { pluginId, staged, by, at } : null;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
