import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Projects } from '../projects/projects.service.ts';
import type { TemplateRegistry } from '../templates/templates.registry.ts';
import { createRuleEditor } from './rule-editor.ts';
import { ruleRoutes } from './rules.routes.ts';
import { createRules } from './rules.service.ts';

export interface RulesOptions {
  projects: Projects;
  registry: TemplateRegistry;
  clock: Clock;
}

/** Rule files: reading and changing them (spec 1 §2.3, §4.2). What they say of entities is run elsewhere. */
export function createRulesModule({ projects, registry, clock }: RulesOptions): Module {
  return {
    name: 'rules',
    routes: ruleRoutes({
      projects,
      rules: createRules(registry),
      editor: createRuleEditor({ registry, clock }),
      followed: registry.followed,
    }),
  };
}
