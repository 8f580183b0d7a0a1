import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { Projects } from '../projects/projects.service.ts';
import type { TemplateRegistry } from '../templates/templates.registry.ts';
import { canonRoutes } from './canon.routes.ts';
import { createCanon } from './canon.service.ts';

/** Story time, and what contradicts itself in it. */
export function createCanonModule(options: {
  projects: Projects;
  registry: TemplateRegistry;
  clock: Clock;
  log: Log;
}): Module {
  const { projects, registry, clock, log } = options;
  const canon = createCanon({ registry, clock, log });
  return {
    name: 'canon',
    routes: canonRoutes({ projects, canon }),
    start: async () => projects.attach({ isBusy: canon.isRunning }),
    stop: () => canon.stop(projects.opened()),
  };
}
