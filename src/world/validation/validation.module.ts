import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { changesetsModule } from '../changesets/index.ts';
import { templatesModule } from '../definitions/index.ts';
import { projectsModule } from '../projects/index.ts';
import { createDraftCheck } from './draft-findings.ts';
import { fixRoutes } from './fix.routes.ts';
import { createFixes } from './fix.service.ts';
import { validationRoutes } from './validation.routes.ts';
import { createValidation } from './validation.service.ts';

/** Checks entities against their rules and templates, one or all, and makes safe fixes. */
export const validationModule = defineModule({
  name: 'validation',
  tags: {
    Validation: 'Entities checked against their rules and templates.',
  },
  uses: { projects: projectsModule, registry: templatesModule, changesets: changesetsModule },
  create({ clock, log }: CoreContext, { projects, registry, changesets: { changesets } }) {
    const validation = createValidation({ registry, clock, log: log.child('validation') });
    const checkDraft = createDraftCheck({ registry, clock });
    const fixes = createFixes({ registry, changesets });
    return {
      service: { fixes },
      routes: [
        ...validationRoutes({ projects, validation, checkDraft }),
        ...fixRoutes(projects, fixes, changesets),
      ],
      start: async () => projects.attach({ isBusy: validation.isRunning }),
      stop: validation.stop,
    };
  },
});
