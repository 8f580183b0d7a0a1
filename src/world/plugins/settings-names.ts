import type { Project } from '../records/index.ts';

export const SETTINGS_PREFIX = 'plugin.';

/** The names of a plugin's settings: those of a project, and those that users have of their own in a project. */
export const settingsNames = (pluginId: string, { projectId }: Pick<Project, 'projectId'>) => ({
  global: `${SETTINGS_PREFIX}${pluginId}`,
  user: `${SETTINGS_PREFIX}${pluginId} ${projectId}`,
});
