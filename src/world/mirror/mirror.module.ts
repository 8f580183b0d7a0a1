import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { conflictRecordsModule } from '../conflict-records/index.ts';
import { templatesModule } from '../definitions/index.ts';
import { entitiesModule } from '../entities/index.ts';
import { projectsModule } from '../projects/index.ts';
import { manifestRoutes } from './manifest.routes.ts';
import { createManifests } from './manifest.service.ts';
import { markdownRoutes } from './markdown.routes.ts';
import { createMarkdown } from './markdown.service.ts';
import { createMirror, type MirrorOptions } from './mirror.service.ts';
import { syncRoutes } from './sync.routes.ts';

export type MirrorContext = CoreContext &
  Pick<MirrorOptions, 'scanner' | 'createWatcher' | 'sweepIntervalMs' | 'sweepOnStart'>;

/** Sync, manifest and markdown files (spec 1 §4.3, §4.4). */
export const mirrorModule = defineModule({
  name: 'mirror',
  tags: {
    Sync: 'Folder and database brought together: what differs, full and partial runs, their reports, the file watcher.',
    Markdown: 'Single files and texts: check, format, export.',
    Manifest: 'Every file of a project with its checksum, and what changed since a moment.',
  },
  uses: {
    projects: projectsModule,
    templates: templatesModule,
    conflicts: conflictRecordsModule,
    entities: entitiesModule,
  },
  create(context: MirrorContext, { projects, templates, conflicts, entities: { entities, checks } }) {
    const { clock, log } = context;
    const { mirror, start, stop } = createMirror({
      ...context,
      projects,
      templates,
      checks,
      noteConflictCopy: conflicts.noteCopy,
      log: log.child('mirror'),
    });
    mirror.onSynced((project) =>
      conflicts.files.afterSync(project, mirror.status(project).last_full_sync_at),
    );
    const manifests = createManifests({ clock });
    const markdown = createMarkdown({ mirror, entities });
    return {
      service: mirror,
      routes: [
        ...syncRoutes({ projects, templates, mirror }),
        ...manifestRoutes({ projects, mirror, manifests }),
        ...markdownRoutes({ projects, templates, markdown }),
      ],
      start,
      stop,
    };
  },
});
