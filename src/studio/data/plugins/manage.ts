import { useQuery } from '@tanstack/react-query';
import type { Plugin } from '../../domain/plugins/plugin-list.ts';
import { cache, keys } from '../cache.ts';
import { pluginApiOf } from './plugin-api.ts';
import { uploadBy } from './upload-by.ts';

/** Whose settings: those of the world, or one's own in it. */
export type SettingsScope = 'global' | 'user';
export type SettingValues = Readonly<Record<string, unknown>>;

const askAgain = (project: string): Promise<void> =>
  cache.invalidateQueries({ queryKey: keys.plugins(project) });

/** What is shown is asked again, also after a failure: the service may have done it and lost the connection. */
async function renewed<Result>(project: string, work: Promise<Result>): Promise<Result> {
  const result = await work.catch((error: unknown) => {
    void askAgain(project);
    throw error;
  });
  await askAgain(project);
  return result;
}

export interface Upload {
  /** Takes it back as long as bytes go; what the service has, it installs. */
  signal: AbortSignal;
  /** From 0 to 1, which is when all bytes are with the service. */
  onSent: (share: number) => void;
}

/** Rejects with what is wrong with the archive. */
export const installPlugin = (project: string, file: File, { signal, onSent }: Upload): Promise<Plugin> =>
  renewed(project, pluginApiOf(project, uploadBy(onSent)).uploadPlugin({ files: { file }, signal }));

/** What others offer in the catalog that the installation names. */
export const useCatalog = (project: string, isWanted = true) =>
  useQuery({
    // A change of a plugin changes what is installed of it.
    queryKey: [...keys.plugins(project), 'catalog'],
    enabled: isWanted,
    queryFn: ({ signal }) => pluginApiOf(project).getCatalog({ signal }),
  });

/** Rejects with the reason why it cannot be fetched or taken. */
export const installListed = (project: string, id: string): Promise<Plugin> =>
  renewed(project, pluginApiOf(project).installFromCatalog({ params: { id } }));

export function switchPlugin(project: string, id: string, isOn: boolean): Promise<Plugin> {
  const { enablePlugin, disablePlugin } = pluginApiOf(project);
  const call = { params: { id } };
  return renewed(project, isOn ? enablePlugin(call) : disablePlugin(call));
}

/** With `purge`, its settings and data go too. */
export const removePlugin = (project: string, id: string, purge: boolean): Promise<unknown> =>
  renewed(project, pluginApiOf(project).deletePlugin({ params: { id }, query: { purge } }));

/** What it may do from now on, of what needs consent; everything else is refused. */
export const answerPlugin = (project: string, id: string, permissions: string[]): Promise<unknown> =>
  renewed(project, pluginApiOf(project).grantToPlugin({ params: { id }, body: { permissions } }));

// Not marked with the world: its folder may be gone before its page is, and what is asked about it then is refused.
const settingsKey = (project: string, id: string, scope: SettingsScope) =>
  ['plugin settings', project, id, scope] as const;

export const usePluginSettings = (project: string, id: string, scope: SettingsScope) =>
  useQuery({
    queryKey: settingsKey(project, id, scope),
    queryFn: ({ signal }): Promise<SettingValues> => {
      const { getPluginSettings, getPluginUserSettings } = pluginApiOf(project);
      const call = { params: { id }, signal };
      return scope === 'global' ? getPluginSettings(call) : getPluginUserSettings(call);
    },
  });

/** Changes the given ones alone; null sets one back to its default. */
export async function savePluginSettings(
  project: string,
  id: string,
  scope: SettingsScope,
  changes: Record<string, unknown>,
): Promise<void> {
  const { setPluginSettings, setPluginUserSettings } = pluginApiOf(project);
  const call = { params: { id }, body: changes };
  const saved = await (scope === 'global' ? setPluginSettings(call) : setPluginUserSettings(call));
  cache.setQueryData(settingsKey(project, id, scope), saved);
}

const policyKey = (project: string) => [project, 'plugin policy'] as const;

/** Ids of the plugins that may run in all worlds; null for any. */
export const usePluginPolicy = (project: string) =>
  useQuery({
    queryKey: policyKey(project),
    queryFn: ({ signal }) => pluginApiOf(project).getPluginPolicy({ signal }),
  });

export async function savePluginPolicy(project: string, allowed: string[] | null): Promise<void> {
  const saved = await renewed(project, pluginApiOf(project).setPluginPolicy({ body: { allowed } }));
  cache.setQueryData(policyKey(project), saved);
}
