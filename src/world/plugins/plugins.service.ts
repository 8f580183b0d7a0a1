import { normalPermission, type PluginManifest } from '../../content/plugins/index.ts';
import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, invalidField, notFound } from '../../kit/errors.ts';
import type { ContentOf } from '../../kit/event.ts';
import type { Author } from '../entities/index.ts';
import type { Project } from '../records/index.ts';
import { type Installations, pluginsLock } from './install.service.ts';
import type { PluginFolders } from './plugin-folders.ts';
import type { PluginPolicy } from './plugin-policy.ts';
import {
  decide,
  forgetAnswers,
  forgetDecisions,
  listDecisions,
  type PluginDecisions,
  type PluginsDb,
  undecided,
} from './plugin-states.store.ts';
import { needsAnswer, type PluginView, type RunningPlugin, viewOf } from './plugin-view.ts';
import { pluginChanged } from './plugins.events.ts';

export interface PluginsOptions {
  folders: PluginFolders;
  policy: PluginPolicy;
  installations: Installations;
  clock: Clock;
}

type Action = ContentOf<typeof pluginChanged>['action'];

export type PluginListener = (project: Project, pluginId: string, action: Action) => Promise<void>;

/** The plugins of a project, and what was decided about them (docs/plugins.md). */
export function createPlugins({ folders, policy, installations, clock }: PluginsOptions) {
  const listeners: PluginListener[] = [];

  async function list(project: Project): Promise<PluginView[]> {
    const allowed = await policy.allowed(project.tenantId);
    const decisions = await project.database.read((db: PluginsDb) => listDecisions(db, project));
    return [...(await folders(project)).values()].map((folder) =>
      viewOf(
        folder,
        decisions.get(folder.id) ?? undecided(),
        allowed === null || allowed.includes(folder.id),
      ),
    );
  }

  /** 404 if it is not installed. */
  async function require(project: Project, pluginId: string): Promise<PluginView> {
    const view = (await list(project)).find(({ folder }) => folder.id === pluginId);
    if (view === undefined) throw missing(pluginId);
    return view;
  }

  /** All listeners have heard of a plugin's change when the caller does. */
  async function announce(project: Project, pluginId: string, action: Action): Promise<void> {
    for (const listener of listeners) await listener(project, pluginId, action);
    const timestamp = isoTime(clock.now());
    project.bus.publish(project, pluginChanged, { plugin_id: pluginId, action, timestamp });
  }

  const decideAlone = (
    project: Project,
    pluginId: string,
    next: (present: PluginDecisions) => Partial<PluginDecisions>,
  ): Promise<void> =>
    project.database.exclusive(pluginsLock(project), () =>
      project.database.write((db: PluginsDb) => decide(db, project, pluginId, next)),
    );

  async function change(
    project: Project,
    pluginId: string,
    action: Action,
    next: (present: PluginDecisions) => Partial<PluginDecisions>,
  ): Promise<PluginView> {
    await require(project, pluginId);
    await decideAlone(project, pluginId, next);
    await announce(project, pluginId, action);
    return require(project, pluginId);
  }

  return {
    list,
    require,
    announce,
    onChanged: (listener: PluginListener): void => void listeners.push(listener),

    /** 409 for a plugin that is installed, but is not to be shown or run now. */
    async requireRunning(project: Project, pluginId: string): Promise<RunningPlugin> {
      const view = await require(project, pluginId);
      const { manifest } = view.folder;
      if (manifest !== null && view.state === 'enabled') return { ...view, manifest };
      throw conflict(`The plugin '${pluginId}' does not run: it is ${view.state}`, {
        code: 'plugin_not_running',
        body: { state: view.state },
      });
    },

    install: (
      project: Project,
      archive: string,
      { actor: by, plan }: Pick<Author, 'actor' | 'plan'>,
      check?: (manifest: PluginManifest) => void,
    ): Promise<PluginView> =>
      installations.install(project, archive, {
        by,
        plan,
        check,
        async installed(pluginId) {
          await announce(project, pluginId, 'installed');
          return require(project, pluginId);
        },
      }),

    /** `purge` removes what is kept of it, also of one whose folder is gone. Otherwise 404 without a folder. */
    async remove(project: Project, pluginId: string, purge: (() => Promise<void>) | null): Promise<void> {
      const forget = (what: typeof forgetAnswers): Promise<void> =>
        project.database.exclusive(pluginsLock(project), () =>
          project.database.write((db: PluginsDb) => what(db, project, pluginId)),
        );
      // Whatever a crash leaves, nobody who installs this id afterwards has what was granted to it.
      await forget(forgetAnswers);
      const isRemoved = await installations.remove(project, pluginId);
      if (!isRemoved && purge === null) throw missing(pluginId);
      // Its guest has ended by then, and stores nothing more.
      await announce(project, pluginId, 'removed');
      if (purge !== null) await purge();
      await forget(forgetDecisions);
    },

    enable: (project: Project, pluginId: string) =>
      change(project, pluginId, 'enabled', () => ({ enabled: true, breaks: [] })),

    /** Keeps the times that `next` makes of the known ones; null disables the plugin. Resolves to true if it was disabled. */
    async noteBreak(
      project: Project,
      pluginId: string,
      next: (breaks: readonly number[]) => readonly number[] | null,
    ): Promise<boolean> {
      let isDisabled = false;
      await decideAlone(project, pluginId, ({ breaks }) => {
        const kept = next(breaks);
        isDisabled = kept === null;
        return kept === null ? { enabled: false, breaks: [] } : { breaks: kept };
      });
      if (isDisabled) await announce(project, pluginId, 'disabled');
      return isDisabled;
    },

    disable: (project: Project, pluginId: string) =>
      change(project, pluginId, 'disabled', () => ({ enabled: false })),

    /** Grants these of the permissions that it wants and that need consent; the others that it wants are refused. */
    async grant(project: Project, pluginId: string, permissions: readonly string[], actor: string) {
      const { folder } = await require(project, pluginId);
      const asked = (folder.manifest?.permissions ?? []).filter((permission) =>
        needsAnswer(folder, permission),
      );
      const granted = permissions.map((text) => {
        const permission = normalPermission(text);
        if (permission !== null && asked.includes(permission)) return permission;
        throw invalidField('permissions', `has '${text}', which the plugin does not ask consent for`);
      });
      const at = isoTime(clock.now());
      return change(project, pluginId, 'granted', ({ answers }) => ({
        answers: {
          ...answers,
          ...Object.fromEntries(
            asked.map((permission) => [permission, { granted: granted.includes(permission), by: actor, at }]),
          ),
        },
      }));
    },
  };
}

export type Plugins = ReturnType<typeof createPlugins>;

const missing = (pluginId: string) =>
  notFound(`There is no plugin '${pluginId}' in this project`, { code: 'plugin_not_found' });
