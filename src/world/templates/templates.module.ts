import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Projects } from '../projects/projects.service.ts';
import { activationRoutes } from './activation.routes.ts';
import { createActivation } from './activation.service.ts';
import { activationMigrations } from './activation.tables.ts';
import { createTemplateEditor } from './edit-template.service.ts';
import { layoutRoutes } from './layouts.routes.ts';
import { createLayouts } from './layouts.service.ts';
import { ruleTextMigrations } from './rule-texts.tables.ts';
import { createSchemas } from './schemas.service.ts';
import type { TemplateRegistry } from './templates.registry.ts';
import { templateRoutes } from './templates.routes.ts';
import { createTemplates } from './templates.service.ts';

export interface TemplatesOptions {
  projects: Projects;
  registry: TemplateRegistry;
  database: Database;
  clock: Clock;
  isStorageConfigured: (tenantId: string) => Promise<boolean>;
}

/** Templates, their schemas, and which of them a project uses. */
export function createTemplatesModule(options: TemplatesOptions): Module {
  const { projects, registry, clock } = options;
  const layouts = createLayouts(registry);
  return {
    name: 'templates',
    migrations: [...activationMigrations, ...ruleTextMigrations],
    routes: [
      ...templateRoutes({
        projects,
        templates: createTemplates(registry),
        editor: createTemplateEditor({ registry, clock }),
        schemas: createSchemas(registry, layouts),
        followed: registry.followed,
      }),
      ...layoutRoutes(projects, layouts),
      ...activationRoutes(projects, createActivation(options)),
    ],
    async start() {
      projects.attach({
        open: async (project) => void (await registry.of(project)),
        isBusy: registry.isReading,
        close: async (project) => registry.forget(project),
      });
    },
  };
}
