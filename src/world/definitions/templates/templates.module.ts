import type { CoreContext } from '../../../frame/context.ts';
import { defineModule } from '../../../frame/module.ts';
import type { Clock } from '../../../kit/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { type Projects, projectsModule } from '../../projects/index.ts';
import { storageModule } from '../../storage/index.ts';
import { activationRoutes } from '../activation/activation.routes.ts';
import { createActivation } from '../activation/activation.service.ts';
import { activationMigrations } from '../activation/activation.tables.ts';
import { layoutRoutes } from '../layouts/layouts.routes.ts';
import { createLayouts } from '../layouts/layouts.service.ts';
import { createTemplateRegistry, type TemplateRegistry } from '../registry/registry.ts';
import { ruleTextMigrations } from '../rules/rule-texts.tables.ts';
import { createTemplateEditor } from './edit-template.service.ts';
import { createSchemas } from './schemas.service.ts';
import { createShippedTemplates, type ReadShippedTemplates } from './shipped-templates.service.ts';
import { templateRoutes } from './templates.routes.ts';
import { createTemplates } from './templates.service.ts';

export interface TemplatesOptions {
  projects: Projects;
  registry: TemplateRegistry;
  database: Database;
  clock: Clock;
  isStorageConfigured: (tenantId: string) => Promise<boolean>;
  readShipped: ReadShippedTemplates;
}

export interface TemplatesContext extends CoreContext {
  /** The templates that the service brings along. */
  readShippedTemplates: ReadShippedTemplates;
}

/** Templates, their schemas, and which of them a project uses. */
export function createTemplatesModule(options: TemplatesOptions) {
  const { projects, registry, clock } = options;
  const layouts = createLayouts(registry);
  return {
    service: registry,
    routes: [
      ...templateRoutes({
        projects,
        templates: createTemplates(registry),
        editor: createTemplateEditor({ registry, clock }),
        schemas: createSchemas(registry, layouts),
        addShipped: createShippedTemplates(registry, options.readShipped),
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

export const templatesModule = defineModule({
  name: 'templates',
  tags: {
    Templates:
      'What types there are and which fields they have, as templates, as JSON Schema and as form hints.',
    Activation: 'Which types a project uses, and how much of the plan.',
  },
  uses: { projects: projectsModule, storage: storageModule },
  tables: [...activationMigrations, ...ruleTextMigrations],
  create: ({ database, clock, log, readShippedTemplates }: TemplatesContext, { projects, storage }) =>
    createTemplatesModule({
      projects,
      registry: createTemplateRegistry({ clock, log: log.child('templates') }),
      database,
      clock,
      isStorageConfigured: storage.settings.isConfigured,
      readShipped: readShippedTemplates,
    }),
});
