import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { createBackground } from '../../kit/background.ts';
import { messageOf } from '../../kit/errors.ts';
import { FilesError } from '../../platform/files/files.ts';
import type { Guests } from '../../platform/guests/guests.ts';
import type { Downloads } from '../../platform/outgoing/downloads.ts';
import type { Outgoing } from '../../platform/outgoing/outgoing.ts';
import { assetsModule } from '../assets/index.ts';
import { entitiesModule } from '../entities/index.ts';
import { exportsModule } from '../exports/index.ts';
import { mirrorModule } from '../mirror/index.ts';
import { projectsModule } from '../projects/index.ts';
import { entityUpdated } from '../records/entity.events.ts';
import type { Project, RecordsDb } from '../records/index.ts';
import { catalogRoutes } from './catalog/catalog.routes.ts';
import { createCatalog } from './catalog/catalog.service.ts';
import { catalogMigrations } from './catalog/catalog.tables.ts';
import { openCatalog } from './catalog/open-catalog.ts';
import { pluginDataRoutes } from './data.routes.ts';
import { createExportPart } from './export-part.ts';
import { createCallCounts } from './guest/call-counts.service.ts';
import { createChangesElsewhere } from './guest/changes-elsewhere.ts';
import { createGuestCheck } from './guest/check-guest.ts';
import { createChangeFollower } from './guest/follow-changes.ts';
import { createFollowing } from './guest/following.ts';
import { guestRoutes } from './guest/guest.routes.ts';
import { createGuestCalls } from './guest/guest-calls.ts';
import { createGuestRequests } from './guest/guest-requests.ts';
import { createPluginLog } from './guest/plugin-log.service.ts';
import { createGuestPlugins } from './guest/running-plugins.ts';
import { createSaveHooks } from './guest/save-hooks.ts';
import { purgeValues } from './guest/values.ts';
import { createInstallations } from './install.service.ts';
import { panelRoutes } from './panels.routes.ts';
import { createPanels } from './panels.service.ts';
import { createPluginFolders } from './plugin-folders.ts';
import type { PluginOrigins } from './plugin-origins.ts';
import { createPluginPolicy } from './plugin-policy.ts';
import { createPluginSettings } from './plugin-settings.service.ts';
import { pluginRoutes } from './plugins.routes.ts';
import { createPlugins } from './plugins.service.ts';
import { pluginMigrations } from './plugins.tables.ts';
import { scopeAt } from './projects-by-number.store.ts';
import { createPluginRecords } from './records.service.ts';
import { pluginSettingsRoutes } from './settings.routes.ts';
import { createShowPlugin } from './show-plugin.ts';
import { createTakeOver } from './take-over.ts';
import { usageRoute } from './usage.routes.ts';

export interface PluginsContext extends CoreContext {
  pluginOrigins: PluginOrigins;
  downloads: Downloads;
  /** For archives while they are installed. */
  uploadFolder: string;
  /** Of this Canonry. */
  version: string;
  /** Origins of the web app. */
  appOrigins: readonly string[];
  guests: Guests;
  /** Connections for requests of guests. */
  openGuestOutgoing(): Promise<Outgoing>;
}

/** Extensions of a project by others (spec 2 §2.6, §4.8, §6.4). */
export const pluginsModule = defineModule({
  name: 'plugins',
  tags: {
    Plugins: 'What others add: panels, widgets and pages of the web app, their settings and their data.',
  },
  uses: {
    projects: projectsModule,
    entities: entitiesModule,
    mirror: mirrorModule,
    exports: exportsModule,
    assets: assetsModule,
  },
  tables: [...pluginMigrations, ...catalogMigrations],
  create(context: PluginsContext, { projects, entities: { entities }, mirror, exports, assets }) {
    const { database, box, clock, bus, guests, pluginOrigins: origins, appOrigins } = context;
    const folders = createPluginFolders();
    const policy = createPluginPolicy({ database, box, clock });
    const installations = createInstallations({
      folders,
      policy,
      mirror,
      clock,
      room: assets.room,
      checkGuest: createGuestCheck(guests),
    });
    const plugins = createPlugins({ folders, policy, installations, clock });
    const panels = createPanels({ plugins, origins, hosts: appOrigins });
    const settings = createPluginSettings({ database, box, clock });
    const records = createPluginRecords({ clock });
    const catalog = createCatalog({ ...context, place: openCatalog(context), plugins, policy });
    const show = createShowPlugin(origins, panels);
    const log = createPluginLog({ clock });
    const requests = createGuestRequests(context.openGuestOutgoing);
    const following = createBackground<Project>();
    const note = context.log.child('plugins');
    const inBackground = (otherwise: string) => (project: Project, work: Promise<void>) =>
      following.add(
        project,
        work.catch((error: unknown) => note.error(`${otherwise}: ${messageOf(error)}`)),
      );
    const counts = createCallCounts({
      clock,
      inBackground: inBackground('calls of guests were not counted'),
    });
    const guestPlugins = createGuestPlugins(plugins, clock);
    const calls = createGuestCalls({
      guests,
      plugins,
      guestPlugins,
      log,
      counts,
      clock,
      entities,
      requests,
      settings,
      inBackground: inBackground('that a guest broke a limit was not noted'),
    });
    const notTold = (error: unknown) => note.error(`changes were not told to plugins: ${messageOf(error)}`);
    const follower = createChangeFollower({ guestPlugins, calls, entities, failed: notTold });
    const projectAt = (number: number) => database.system.read((db: RecordsDb) => scopeAt(db, number));

    const passes = createFollowing({ background: following, work: follower.follow, failed: notTold });
    const { follow } = passes;
    const elsewhere = createChangesElsewhere({
      bus,
      guestPlugins,
      calls,
      follower,
      follow,
      inBackground: inBackground('a change of a plugin did not reach its guest'),
    });

    const notCompleted = (error: unknown) => {
      // The sync that comes next reports a missing folder.
      if (error instanceof FilesError && error.code === 'root_missing') return;
      note.error(`an interrupted installation of a plugin is not completed yet: ${messageOf(error)}`);
    };
    const takeOver = createTakeOver({ installations, plugins, clock });

    for (const hook of createSaveHooks({ guestPlugins, calls, log, clock })) entities.before(hook);
    exports.add(createExportPart({ folders, settings, records }));
    mirror.beforeComparing((project) => installations.complete(project).catch(notCompleted));
    mirror.onSynced(async (project) => {
      await takeOver(project).catch(notCompleted);
      for (const id of await installations.forgetMissing(project))
        await plugins.announce(project, id, 'removed');
      // The sync may have found the folder of a plugin.
      guestPlugins.forget(project);
      follow(project);
    });
    bus.on(entityUpdated, (_event, { tenantId, projectId }) => {
      const project = projects
        .opened()
        .find((each) => each.tenantId === tenantId && each.projectId === projectId);
      if (project !== undefined) follow(project);
    });
    plugins.onChanged(async (project, pluginId, action) => {
      guestPlugins.forget(project);
      if (action === 'disabled' || action === 'removed') {
        await calls.end(project, pluginId);
        await follower.forget(project, pluginId);
      } else follow(project);
    });
    return {
      start: async () =>
        projects.attach({
          open: async (project) => elsewhere.hear(project),
          isBusy: following.isBusy,
          async close(project) {
            elsewhere.leave(project);
            await passes.close(project);
            await counts.write(project);
          },
        }),
      stop: async () => {
        elsewhere.leaveAll();
        await passes.stop();
        await counts.writeAll();
      },
      routes: [
        ...panelRoutes({ projects, panels, origins, projectAt }),
        ...guestRoutes({ projects, plugins, guestPlugins, calls, log }),
        ...pluginRoutes({
          projects,
          plugins,
          show,
          policy,
          stores: [records, settings, log, counts, { purge: purgeValues }],
        }),
        ...catalogRoutes(projects, catalog, show),
        usageRoute({ projects, plugins, counts }),
        ...pluginSettingsRoutes(projects, plugins, settings),
        ...pluginDataRoutes(projects, plugins, records),
      ],
    };
  },
});
