import type { Module } from '../../frame/module.ts';
import type { Entities } from '../entities/entities.service.ts';
import { manifestRoutes } from './manifest.routes.ts';
import { createManifests } from './manifest.service.ts';
import { markdownRoutes } from './markdown.routes.ts';
import { createMarkdown } from './markdown.service.ts';
import { createMirror, type Mirror, type MirrorOptions } from './mirror.service.ts';
import { syncRoutes } from './sync.routes.ts';

export type { Mirror } from './mirror.service.ts';

export interface MirrorModule extends Module {
  mirror: Mirror;
}

/** Sync, manifest and markdown files (spec 1 §4.3, §4.4). */
export function createMirrorModule(options: MirrorOptions & { entities: Entities }): MirrorModule {
  const { projects, templates, entities, clock } = options;
  const { mirror, start, stop } = createMirror(options);
  const manifests = createManifests({ clock });
  const markdown = createMarkdown({ mirror, entities, clock });
  return {
    name: 'mirror',
    mirror,
    routes: [
      ...syncRoutes({ projects, templates, mirror }),
      ...manifestRoutes({ projects, mirror, manifests }),
      ...markdownRoutes({ projects, templates, markdown }),
    ],
    start,
    stop,
  };
}
