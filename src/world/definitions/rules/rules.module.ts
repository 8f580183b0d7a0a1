import type { CoreContext } from '../../../frame/context.ts';
import { defineModule } from '../../../frame/module.ts';
import { projectsModule } from '../../projects/index.ts';
import { templatesModule } from '../templates/templates.module.ts';
import { createRuleEditor } from './rule-editor.ts';
import { ruleRoutes } from './rules.routes.ts';
import { createRules } from './rules.service.ts';

/** Reads and changes rule files (spec 1 §2.3, §4.2). The `validation` module evaluates them. */
export const rulesModule = defineModule({
  name: 'rules',
  tags: {
    Rules: 'What entities must hold: rule files, each rule, and the settings that switch them.',
  },
  uses: { projects: projectsModule, registry: templatesModule },
  create: ({ clock }: CoreContext, { projects, registry }) => ({
    routes: ruleRoutes({
      projects,
      rules: createRules(registry),
      editor: createRuleEditor({ registry, clock }),
      followed: registry.followed,
    }),
  }),
});
