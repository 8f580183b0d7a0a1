import type { Module } from '../../frame/module.ts';
import type { Changesets } from '../changesets/changesets.service.ts';
import type { Projects } from '../projects/projects.service.ts';
import { fixRoutes } from './fix.routes.ts';
import { createFixes, type Fixes } from './fix.service.ts';
import { validationRoutes } from './validation.routes.ts';
import { createValidation, type ValidationOptions } from './validation.service.ts';

export interface ValidationModule extends Module {
  fixes: Fixes;
}

/** Entities checked against their rules and templates, one or all, and mended where that is safe. */
export function createValidationModule({
  projects,
  changesets,
  ...options
}: ValidationOptions & { projects: Projects; changesets: Changesets }): ValidationModule {
  const validation = createValidation(options);
  const fixes = createFixes({ registry: options.registry, changesets });
  return {
    name: 'validation',
    fixes,
    routes: [...validationRoutes(projects, validation), ...fixRoutes(projects, fixes, changesets)],
    start: async () => projects.attach({ isBusy: validation.isRunning, close: validation.forget }),
    stop: validation.stop,
  };
}
