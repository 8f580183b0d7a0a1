import { join } from 'node:path';
import { isOlderVersion } from '../../../content/plugins/index.ts';
import { badGateway, conflict, notFound, unavailable } from '../../../kit/errors.ts';
import { createFairQueue } from '../../../kit/queue.ts';
import { newUploadFolder } from '../../../kit/upload-folders.ts';
import type { HoldBytes } from '../../../kit/work-budget.ts';
import type { Project } from '../../records/index.ts';
import type { PluginPolicy } from '../plugin-policy.ts';
import type { PluginView } from '../plugin-view.ts';
import type { Plugins } from '../plugins.service.ts';
import { requireAsListed, saveArchive } from './archive-file.ts';
import type { CatalogReply } from './catalog.contract.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import type { CatalogReader } from './catalog-reader.ts';
import type { CatalogSource } from './catalog-source.ts';
import { type CatalogFilter, isWanted, itemOf } from './catalog-view.ts';

export interface CatalogOptions {
  /** Null where the installation names no catalog. */
  place: { source: CatalogSource; read: CatalogReader } | null;
  plugins: Plugins;
  policy: PluginPolicy;
  /** Archives are kept there while they are checked. */
  uploadFolder: string;
  holdUploadSpace: HoldBytes;
  /** Of this Canonry. */
  version: string;
}

const AT_ONCE = 2;
const MOST_WAITING = 50;
const OF_TENANT = { atOnce: 1, mostWaiting: 25 };

type Installer = Parameters<Plugins['install']>[2];

/** Plugins that others offer, and their installation (docs/plugins.md). */
export function createCatalog(options: CatalogOptions) {
  const { place, plugins, policy, uploadFolder, holdUploadSpace, version } = options;
  const inTurn = createFairQueue({
    atOnce: AT_ONCE,
    mostWaiting: MOST_WAITING,
    ofOwner: OF_TENANT,
    whenFull: () => unavailable('Too many plugins are installed at this moment: try again', 5),
  });

  async function entryOf(read: CatalogReader, pluginId: string): Promise<CatalogEntry> {
    const { good, problem } = await read();
    if (good === null) throw badGateway(problem?.message ?? '', { ...(problem && { code: problem.code }) });
    const entry = good.index.entries.get(pluginId);
    if (entry === undefined) throw notListed(pluginId);
    if (entry.min_canonry !== undefined && isOlderVersion(version, entry.min_canonry))
      throw tooOld(entry.min_canonry, version);
    return entry;
  }

  async function fetchAndInstall(
    source: CatalogSource,
    project: Project,
    entry: CatalogEntry,
    author: Installer,
  ): Promise<PluginView> {
    const folder = await newUploadFolder(uploadFolder);
    try {
      const archive = join(folder.path, 'archive');
      await source.openArchive(entry.url, (bytes) => saveArchive(bytes, archive, entry));
      return await plugins.install(project, archive, author, (manifest) => requireAsListed(entry, manifest));
    } finally {
      await folder.discard();
    }
  }

  return {
    async list(project: Project, filter: CatalogFilter): Promise<CatalogReply> {
      if (place === null) return NOTHING;
      const { good, problem } = await place.read();
      const views = new Map((await plugins.list(project)).map((view) => [view.folder.id, view]));
      const allowed = await policy.allowed(project.tenantId);
      const entries = [...(good?.index.entries.values() ?? [])].filter((entry) => isWanted(entry, filter));
      return {
        configured: true,
        sequence: good?.index.sequence ?? null,
        checked_at: good?.checkedAt ?? null,
        problem,
        items: entries.map((entry) => itemOf(entry, { view: views.get(entry.id), allowed, version })),
      };
    },

    async install(project: Project, pluginId: string, author: Installer): Promise<PluginView> {
      if (place === null) throw notConfigured();
      const entry = await entryOf(place.read, pluginId);
      await policy.requireAllowed(project.tenantId, pluginId);
      return inTurn(project.tenantId, async () => {
        const release = await holdUploadSpace(project.tenantId, entry.size);
        return fetchAndInstall(place.source, project, entry, author).finally(release);
      });
    },
  };
}

export type Catalog = ReturnType<typeof createCatalog>;

const NOTHING: CatalogReply = {
  configured: false,
  sequence: null,
  checked_at: null,
  problem: null,
  items: [],
};

const notConfigured = () =>
  conflict('This installation has no catalog: its admin can name one (PLUGIN_CATALOG)', {
    code: 'catalog_not_configured',
  });

const notListed = (pluginId: string) =>
  notFound(`The catalog has no plugin '${pluginId}'`, { code: 'plugin_not_in_catalog' });

const tooOld = (needed: string, version: string) =>
  conflict(`The plugin needs Canonry ${needed} or newer, and this is ${version}: update Canonry first`, {
    code: 'needs_newer_canonry',
  });
