import type { Clock } from '../../kit/clock.ts';
import type { Project } from '../records/index.ts';
import type { Installations } from './install.service.ts';
import type { Plugins } from './plugins.service.ts';

/** Milliseconds between two looks at a project: with object storage, each is a request. */
const LOOK_EVERY_MS = 30_000;

export interface TakeOverOptions {
  installations: Installations;
  plugins: Plugins;
  clock: Clock;
}

/** Completes what another process of the same cloud began and died of, and tells everybody of the plugin. */
export function createTakeOver({ installations, plugins, clock }: TakeOverOptions) {
  const looked = new WeakMap<Project, number>();
  return async (project: Project): Promise<void> => {
    const now = clock.now();
    if (now - (looked.get(project) ?? 0) < LOOK_EVERY_MS) return;
    looked.set(project, now);
    const pluginId = await installations.takeOver(project);
    if (pluginId !== null) await plugins.announce(project, pluginId, 'installed');
  };
}
