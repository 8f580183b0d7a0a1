import type { Clock } from '../../kit/clock.ts';
import type { TemplateRegistry } from '../definitions/index.ts';
import type { Models } from '../models/index.ts';
import type { AiSettingsService, Proposals } from '../proposals/index.ts';
import type { SkillsFor } from '../skills/index.ts';
import { createAllowed } from './allowed-target.ts';
import { createGather } from './gather.ts';
import { createGeneration } from './generation.service.ts';
import { createRun } from './run.ts';

export interface GeneratingOptions {
  templates: TemplateRegistry;
  models: Models;
  proposals: { proposals: Proposals; aiSettings: AiSettingsService };
  skills: { skillsFor: SkillsFor };
  clock: Clock;
}

/** The parts of a generation, for the routes and for jobs. */
export function createGenerating({
  templates,
  models,
  proposals: { proposals, aiSettings },
  skills: { skillsFor },
  clock,
}: GeneratingOptions) {
  const gather = createGather({
    templates,
    skillsFor,
    allowed: createAllowed(aiSettings),
  });
  const run = createRun({ models, proposals, clock });
  return {
    gather,
    run,
    generation: createGeneration({ gather, models, proposals, run }),
  };
}
