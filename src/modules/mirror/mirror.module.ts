import type { Entities } from '../entities/entities.service.ts';
import type { Module } from '../module.ts';
import { createMirror, type Mirror, type MirrorOptions } from './mirror.service.ts';
import { syncRoutes } from './sync.routes.ts';

export type { Mirror } from './mirror.service.ts';

export interface MirrorModule extends Module {
  mirror: Mirror;
}

/** Sync, manifest and markdown files (spec 1 §4.3, §4.4). */
export function createMirrorModule(options: MirrorOptions & { entities: Entities }): MirrorModule {
  const { projects, templates } = options;
  const service = createMirror(options);
  return {
    name: 'mirror',
    mirror: service.mirror,
    routes: [...syncRoutes({ projects, templates, mirror: service.mirror })],
    start: service.start,
    stop: service.stop,
  };
}
