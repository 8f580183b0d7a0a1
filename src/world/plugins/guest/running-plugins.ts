import type { Clock } from '../../../kit/clock.ts';
import { inProject } from '../../../platform/database/scoped.ts';
import type { Project, RecordsDb } from '../../records/index.ts';
import { folderOfPlugin } from '../plugin-moves.ts';
import type { RunningPlugin } from '../plugin-view.ts';
import type { Plugins } from '../plugins.service.ts';

/** An enabled plugin with code that runs in the service. */
export interface GuestPlugin extends RunningPlugin {
  path: string;
  /** SHA-256 of its component, in hexadecimal. */
  hash: string;
}

/** Milliseconds after which that counts which no event tells here: another process's change while the bus is away, and a tenant's policy. */
const KNOWN_FOR_MS = 5_000;

/** The plugins of a project that have guests: each save asks for them, so they are remembered until something of them changes. */
export function createGuestPlugins(plugins: Plugins, clock: Clock) {
  const known = new WeakMap<Project, { at: number; found: Promise<readonly GuestPlugin[]> }>();

  async function load(project: Project): Promise<readonly GuestPlugin[]> {
    const found: GuestPlugin[] = [];
    for (const view of await plugins.list(project)) {
      const { manifest } = view.folder;
      if (view.state !== 'enabled' || manifest === null || manifest.backend === null) continue;
      const path = `${folderOfPlugin(view.folder.id)}/${manifest.backend.entry}`;
      const hash = await hashOf(project, path);
      if (hash !== null) found.push({ ...view, manifest, path, hash });
    }
    return found;
  }

  return {
    of(project: Project): Promise<readonly GuestPlugin[]> {
      const entry = known.get(project);
      if (entry !== undefined && clock.now() - entry.at < KNOWN_FOR_MS) return entry.found;
      const found = load(project);
      known.set(project, { at: clock.now(), found });
      found.catch(() => known.delete(project));
      return found;
    },
    forget: (project: Project): void => void known.delete(project),
  };
}

export type GuestPlugins = ReturnType<typeof createGuestPlugins>;

const hashOf = (project: Project, path: string): Promise<string | null> =>
  project.database.read(async (db: RecordsDb) => {
    const row = await inProject(db, project)
      .selectFrom('files')
      .select('sha256')
      .where('path', '=', path)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    return row?.sha256 ?? null;
  });
