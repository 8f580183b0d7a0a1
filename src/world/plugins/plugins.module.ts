import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import type { Downloads } from '../../platform/outgoing/downloads.ts';
import { entitiesModule } from '../entities/index.ts';
import { mirrorModule } from '../mirror/index.ts';
import { projectsModule } from '../projects/index.ts';
import type { RecordsDb } from '../records/index.ts';
import { catalogRoutes } from './catalog/catalog.routes.ts';
import { createCatalog } from './catalog/catalog.service.ts';
import { catalogMigrations } from './catalog/catalog.tables.ts';
import { openCatalog } from './catalog/open-catalog.ts';
import { pluginDataRoutes } from './data.routes.ts';
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

export interface PluginsContext extends CoreContext {
  pluginOrigins: PluginOrigins;
  downloads: Downloads;
  /** For archives while they are installed. */
  uploadFolder: string;
  /** Of this Canonry. */
  version: string;
  /** Origins of the web app. */
  appOrigins: readonly string[];
}

/** What others add to a project (spec 2 §2.6, §4.8, §6.4). */
export const pluginsModule = defineModule({
  name: 'plugins',
  tags: {
    Plugins: 'What others add: panels, widgets and pages of the web app, their settings and their data.',
  },
  uses: { projects: projectsModule, entities: entitiesModule, mirror: mirrorModule },
  tables: [...pluginMigrations, ...catalogMigrations],
  create(context: PluginsContext, { projects, mirror }) {
    const { database, box, clock, pluginOrigins: origins, appOrigins } = context;
    const folders = createPluginFolders();
    const policy = createPluginPolicy({ database, box, clock });
    const installations = createInstallations({ folders, policy, mirror, clock });
    const plugins = createPlugins({ folders, policy, installations, clock });
    const panels = createPanels({ plugins, origins, hosts: appOrigins });
    const settings = createPluginSettings({ database, box, clock });
    const records = createPluginRecords({ clock });
    const catalog = createCatalog({ ...context, place: openCatalog(context), plugins, policy });
    const show = createShowPlugin(origins, panels);
    const projectAt = (number: number) => database.system.read((db: RecordsDb) => scopeAt(db, number));
    mirror.beforeComparing(installations.complete);
    return {
      routes: [
        ...panelRoutes({ projects, panels, origins, projectAt }),
        ...pluginRoutes({ projects, plugins, show, policy, settings, records }),
        ...catalogRoutes(projects, catalog, show),
        ...pluginSettingsRoutes(projects, plugins, settings),
        ...pluginDataRoutes(projects, plugins, records),
      ],
    };
  },
});
