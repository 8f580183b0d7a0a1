import type { Module } from '../../frame/module.ts';
import type { Entities } from '../entities/entities.service.ts';
import type { Projects } from '../projects/projects.service.ts';
import type { TemplateRegistry } from '../templates/templates.registry.ts';
import { referenceRoutes } from './references.routes.ts';
import { createReferences } from './references.service.ts';

export function createReferencesModule(options: {
  projects: Projects;
  templates: TemplateRegistry;
  entities: Entities;
}): Module {
  const references = createReferences(options);
  return { name: 'references', routes: referenceRoutes({ ...options, references }) };
}
